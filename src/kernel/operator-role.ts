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

/** Returns whether an operator is an admin whose scopes have this one. */
export function isAdminFor(rights: OperatorRights | null, scope: string): boolean {
  return rights?.role === 'admin' && (rights.scopes === null || rights.scopes.has(scope));
}
