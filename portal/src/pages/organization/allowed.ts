import type { Scope } from '@gatehouse/client';

/** What the pages of an organization look different by. */
export const ASKED = [
  'iam:invitation:read',
  'iam:invitation:create',
  'iam:role:create',
  'iam:audit:read',
] as const satisfies readonly Scope[];

/** What this person may do here at all. */
export type Allowed = Readonly<Record<(typeof ASKED)[number], boolean>>;

export interface OrganizationProps {
  readonly tenantId: string;
  readonly allowed: Allowed;
}
