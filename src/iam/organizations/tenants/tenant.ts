import type { TenantId } from '../../../kernel/index.js';

/** Organization. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
}

/** State on which permissions in an organization depend. */
export interface TenantState {
  readonly archived: boolean;
}

/** Closed reason of an archived organization. */
export const ARCHIVED = 'The organization is archived. Restore it first.';
