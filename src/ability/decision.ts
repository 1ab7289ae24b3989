import { AppError, errorRow } from '../platform/errors/index.js';
import './ability.errors.js';

/** Reasons for a denial, in the order in which they are checked (API-9, ADR 9). A closed list. */
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

/** Denial with a code for programs and a sentence for people, such as for a tooltip. */
export interface Denial {
  readonly allowed: false;
  readonly code: DenialCode;
  readonly reason: string;
}

/** Result of a permission check. */
export type Decision = { readonly allowed: true } | Denial;

export const ALLOWED: Decision = { allowed: true };

const REASONS: Record<Exclude<DenialCode, 'state_forbids'>, string> = {
  unknown_scope: 'There is no such permission.',
  tenant_required: 'Select an organization first.',
  scope_not_held: 'Your roles do not include this permission.',
  subject_mismatch: 'The subject is not of the type this permission applies to.',
  subject_not_found: 'The subject does not exist in this organization.',
  authentication_insufficient: errorRow('insufficient-user-authentication').detail,
};

/**
 * Creates a denial with the standard reason of its code.
 * @param code any code but `state_forbids`, whose reason comes from the policy
 */
export function deny(code: keyof typeof REASONS): Denial {
  return { allowed: false, code, reason: REASONS[code] };
}

/**
 * Creates the denial for a client that is not registered for the scope. It is the same whether or
 * not the user holds the scope, so that the client learns nothing about the user's roles.
 */
export function denyClient(): Denial {
  const reason = 'This application does not have this permission. Try it in the main app.';
  return { allowed: false, code: 'scope_not_held', reason };
}

/**
 * Creates the denial of a policy that refuses by the state of an entity, or of an archived tenant.
 * @param reason sentence for people: what is the case, and what to do about it
 */
export function denyByState(reason: string): Denial {
  return { allowed: false, code: 'state_forbids', reason };
}

/**
 * Creates the error of a denial. {@link RecentProof} creates the one of
 * `authentication_insufficient`.
 * @returns not-found for `subject_not_found`, else forbidden; with the denial's code and reason
 */
export function denialError({ code, reason }: Denial): AppError {
  return new AppError(code === 'subject_not_found' ? 'not-found' : 'forbidden', {
    detail: reason,
    members: { code },
  });
}
