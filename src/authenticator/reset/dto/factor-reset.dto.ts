import { Input, textField } from '../../../platform/api/index.js';
import { MAILED_TOKEN } from '../../../iam/index.js';

export class ResetAuthenticatorsDto {
  @Input(
    textField({
      max: 200,
      example: 'Lost phone, identity checked by video, ticket 4711',
      description: 'Why, for the person and for other operators. Kept for 90 days.',
    }),
  )
  reason: string;
}

export class CancelResetDto {
  @Input(MAILED_TOKEN)
  token: string;
}
