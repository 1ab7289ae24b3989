import { AppError, ERROR_CATALOGUE } from '../platform/errors/index.js';

/** Why not, in the order in which it is found out. A closed list. */
export const DENIAL_CODES = [
  'unknown_scope',
  'tenant_required',
  'scope_not_held',
  'subject_mismatch',
  'subject_not_found',
  'state_forbids',
  'authentication_insufficient',
] as const;
type DenialCode = (typeof DENIAL_CODES)[number];

/** No, with a code for programs and a sentence for a tooltip. */
export interface Denial {
  readonly allowed: false;
  readonly code: DenialCode;
  readonly reason: string;
}

export type Decision = { readonly allowed: true } | Denial;

export const ALLOWED: Decision = { allowed: true };

const REASONS: Record<Exclude<DenialCode, 'state_forbids'>, string> = {
  unknown_scope: 'There is no such permission.',
  tenant_required: 'Select an organization first.',
  scope_not_held: 'Your roles do not include this permission.',
  subject_mismatch: 'This permission is about another kind of thing.',
  subject_not_found: 'There is no such thing in this organization.',
  authentication_insufficient: ERROR_CATALOGUE['insufficient-user-authentication'].detail,
};

/** A denial with its standard sentence. */
export function deny(code: keyof typeof REASONS): Denial {
  return { allowed: false, code, reason: REASONS[code] };
}

/** The client that acts for the user has not been given the scope, whatever the user holds: the answer tells it nothing about that. */
export function denyClient(): Denial {
  const reason = 'This application does not have this permission. Try it in the main app.';
  return { allowed: false, code: 'scope_not_held', reason };
}

/** The entity's state says no; the sentence is the policy's own. */
export function denyByState(reason: string): Denial {
  return { allowed: false, code: 'state_forbids', reason };
}

/** The problem of a denial: 404 for what is not there, 403 for the rest, but for `authentication_insufficient`, which is RecentProof's. */
export function denialError({ code, reason }: Denial): AppError {
  return new AppError(code === 'subject_not_found' ? 'not-found' : 'forbidden', {
    detail: reason,
    denialCode: code,
  });
}
