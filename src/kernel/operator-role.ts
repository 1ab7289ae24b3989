/**
 * Roles of the platform's operators, the lesser first: `support` reads, ends sessions and sends
 * mails; `admin` does everything.
 */
export const OPERATOR_ROLES = ['support', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What an operator may do. */
export interface OperatorRights {
  readonly role: OperatorRole;
  /** Scopes that restrict the role; null for all that it gives. */
  readonly scopes: ReadonlySet<string> | null;
}
