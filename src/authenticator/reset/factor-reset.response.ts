import { Output, timeField } from '../../platform/api/index.js';
import type { PendingReset } from './factor-reset.repository.js';

export class FactorResetResponse {
  @Output(timeField())
  requestedAt: string;
  @Output(timeField({ description: 'When the second factors are removed, unless it is cancelled.' }))
  effectiveAt: string;

  static of({ createdAt, effectiveAt }: PendingReset): FactorResetResponse {
    return { requestedAt: createdAt.toISOString(), effectiveAt: effectiveAt.toISOString() };
  }
}
