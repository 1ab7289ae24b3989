import type { AuthenticationNeed, Shortfall } from '../kernel/index.js';
import { AppError } from '../platform/errors/index.js';
import type { Message, MessageId, MessageValues } from '../platform/messages/index.js';
import './ability.errors.js';
import './ability.messages.js';

/** Reason of a policy for a refusal. The command answers 403, or 409 for a conflict. */
export type Refusal = Message & { readonly isConflict?: true };

/**
 * Creates the reason for a refusal.
 * @param id message of a `*.messages.ts` file: what is the case, and what to do about it
 */
export function forbid(id: MessageId, values?: MessageValues): Refusal {
  return { id, ...(values && { values }) };
}

/** As {@link forbid}, where the contract of the command answers 409. */
export function conflict(id: MessageId, values?: MessageValues): Refusal {
  return { ...forbid(id, values), isConflict: true };
}

/** What a policy asks of the caller's sign-in, in place of what the scope declares. */
export interface SignInNeed {
  readonly need: AuthenticationNeed;
}

/**
 * Reasons for a denial, in the order in which they are checked (API-9, ADR 9). A closed list.
 * `authentication_insufficient` is found after `tenant_required` if the tenant refuses the sign-in,
 * and last if the scope does.
 */
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

/** Denial with a code for programs and a message for people, such as for a tooltip. */
export interface Denial {
  readonly allowed: false;
  readonly code: DenialCode;
  readonly reason: Refusal;
  /** With `authentication_insufficient`: what the caller's sign-in falls short of. */
  readonly need?: AuthenticationNeed | Shortfall;
}

/** Role by which a scope is held. */
export interface HeldBy {
  /** Key of the role. */
  readonly role: string;
  /** The thing, as `thingOf` spells it; null for the whole tenant. */
  readonly on: string | null;
}

/** Permission; without `by`, not held by a role of the tenant. */
export interface Allowed {
  readonly allowed: true;
  readonly by?: HeldBy;
}

/** Result of a permission check. */
export type Decision = Allowed | Denial;

const REASONS: Record<Exclude<DenialCode, 'state_forbids' | 'authentication_insufficient'>, Refusal> = {
  unknown_scope: forbid('ability.unknown-scope'),
  tenant_required: forbid('ability.tenant-required'),
  scope_not_held: forbid('ability.scope-not-held'),
  subject_mismatch: forbid('ability.subject-mismatch'),
  subject_not_found: forbid('ability.subject-not-found'),
};

/** Creates a denial with the standard reason of its code. */
export function deny(code: keyof typeof REASONS): Denial {
  return { allowed: false, code, reason: REASONS[code] };
}

const NOT_HELD = {
  'on this': forbid('ability.held-on-other-things'),
  /** The same whether or not the user holds it: the client learns nothing about their roles. */
  'by client': forbid('ability.client-without-scope'),
  'by key': forbid('ability.key-without-scope'),
  /** Only people can hold it, whatever the roles of the machine. */
  'by machine': forbid('ability.people-only'),
};

/** Creates the denial of a scope that the caller may hold, but not here. */
export function denyUnheld(what: keyof typeof NOT_HELD): Denial {
  return { allowed: false, code: 'scope_not_held', reason: NOT_HELD[what] };
}

/**
 * Creates the denial of a policy that refuses by the state of an entity, or of an archived tenant.
 */
export function denyByState(reason: Refusal): Denial {
  return { allowed: false, code: 'state_forbids', reason };
}

/** Creates the denial for a sign-in that is too old or too weak. */
export function denyByAuthentication(need: AuthenticationNeed | Shortfall, reason: Refusal): Denial {
  return { allowed: false, code: 'authentication_insufficient', reason, need };
}

/**
 * Creates the error of a denial. {@link AuthenticationCheck} creates the one of
 * `authentication_insufficient`.
 * @returns not-found for `subject_not_found`, conflict for such a reason, else forbidden; with the
 *   denial's code and reason
 */
export function denialError({ code, reason }: Denial): AppError {
  const { isConflict, ...message } = reason;
  const error = isConflict ? 'conflict' : 'forbidden';
  return new AppError(code === 'subject_not_found' ? 'not-found' : error, {
    reason: message,
    members: { code },
  });
}
