import type { TenantId } from '../../../kernel/index.js';

/** An organization. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
}

/** What decides about an organization. */
export interface TenantState {
  readonly archived: boolean;
}

/** Why nothing can be changed in an archived organization. */
export const ARCHIVED = 'The organization is archived. Restore it first.';
