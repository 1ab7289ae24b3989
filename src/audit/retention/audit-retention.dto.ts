import { Input, integerField, Output, toResponse } from '../../platform/api/index.js';
import type { AuditRetention } from './audit-retention.service.js';

/** A hundred years. */
const MAX_DAYS = 36_500;

const DAYS = integerField({
  min: 1,
  max: MAX_DAYS,
  description: 'Days for which events are kept. null: as the service does.',
  example: 730,
});

export class SetAuditRetentionDto {
  @Input(DAYS, { nullable: true })
  days: number | null;
}

export class AuditRetentionResponse {
  @Output(DAYS, { nullable: true })
  days: number | null;
  @Output(DAYS, { nullable: true, description: 'Days that apply. null: events are kept without an end.' })
  appliedDays: number | null;
  @Output(DAYS, { description: 'Fewest days that can be set.' })
  minDays: number;
  @Output.integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Number of the first entry of the chain: what was before it is over the retention.',
    example: 1,
  })
  firstEntry: number;
  @Output.time({
    nullable: true,
    description: 'Up to when `audit:verify` found the trail complete. null: it was not run.',
  })
  verifiedUntil: string | null;

  static from(retention: AuditRetention): AuditRetentionResponse {
    return toResponse(AuditRetentionResponse, retention);
  }
}
