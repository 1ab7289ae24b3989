/**
 * Roles of the platform's operators, the lesser first: `support` reads, ends sessions and sends
 * mails; `admin` does everything.
 */
export const OPERATOR_ROLES = ['support', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
