import { MAX_COUNTED, objectListField, Output } from '../../../../platform/api/index.js';
import type { TenantDeletion } from './tenant-deletion.service.js';

export class DeletedContentResponse {
  @Output.text({ max: 50, pattern: '^[a-z-]+$', description: 'Kind of rows.', example: 'members' })
  kind: string;
  @Output.integer({
    min: 0,
    max: MAX_COUNTED,
    description: `Number of rows, counted up to ${MAX_COUNTED}.`,
    example: 12,
  })
  count: number;
}

/** Deletion of an organization. */
export class TenantDeletionResponse {
  @Output.time({
    nullable: true,
    description: 'Time from which it is deleted. null if no deletion is scheduled.',
  })
  deletesAt: string | null;
  @Output.ulid({
    nullable: true,
    description: 'Person who scheduled it.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  requestedBy: string | null;
  @Output.integer({
    min: 0,
    max: 2_147_483_647,
    description: 'Waiting time of a new deletion, in seconds.',
    example: 604_800,
  })
  delaySeconds: number;
  @Output(objectListField(() => DeletedContentResponse, 100))
  contents: DeletedContentResponse[];

  static from({ deletesAt, ...deletion }: TenantDeletion): TenantDeletionResponse {
    return { ...deletion, deletesAt: deletesAt?.toISOString() ?? null };
  }
}
