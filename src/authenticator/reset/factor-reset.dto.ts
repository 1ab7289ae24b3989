import { Input, Output } from '../../platform/api/index.js';
import type { PendingReset } from './factor-reset.repository.js';
import { MAILED_TOKEN } from '../../iam/index.js';

export class FactorResetResponse {
  @Output.time()
  requestedAt: string;
  @Output.time({ description: 'When the second factors are removed, unless it is cancelled.' })
  effectiveAt: string;

  static of({ createdAt, effectiveAt }: PendingReset): FactorResetResponse {
    return { requestedAt: createdAt.toISOString(), effectiveAt: effectiveAt.toISOString() };
  }
}

export class ResetAuthenticatorsDto {
  @Input.text({
    max: 200,
    example: 'Lost phone, identity checked by video, ticket 4711',
    description: 'Why, for the person and for other operators. Kept for 90 days.',
  })
  reason: string;
}

export class CancelResetDto {
  @Input(MAILED_TOKEN)
  token: string;
}
