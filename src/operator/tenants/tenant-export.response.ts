import { booleanField, objectListField, Output, textField, timeField } from '../../platform/api/index.js';
import { MAX_EXPORTED, type TenantPart } from './tenant-export.repository.js';

const OBJECTS = {
  type: 'array' as const,
  maxItems: MAX_EXPORTED,
  items: { type: 'object' as const, additionalProperties: true },
};

export class TenantPartResponse {
  @Output(textField({ max: 100, example: 'members' }))
  name: string;
  @Output(
    { schema: OBJECTS },
    { description: 'The newest first, at most 10,000.', example: [{ email: 'ada@example.com' }] },
  )
  items: object[];
  @Output(booleanField({ description: 'Whether there are no more items than these.', example: true }))
  complete: boolean;
}

/** What is kept about an organization. */
export class TenantExportResponse {
  @Output(timeField())
  createdAt: string;
  @Output(objectListField(() => TenantPartResponse, 100))
  parts: TenantPartResponse[];

  static of(parts: readonly TenantPart[]): TenantExportResponse {
    return {
      createdAt: new Date().toISOString(),
      parts: parts.map((part) => ({ ...part, items: [...part.items] })),
    };
  }
}
