import { Input, Output, passwordField } from '../../platform/api/index.js';
import { TokenResponse } from '../tokens/token.dto.js';
import { DISPLAY_NAME, FIRST_NAME, LAST_NAME, MAILED_TOKEN, MARKETING_OPT_IN } from '../../iam/index.js';

export class InvitedRegistrationResponse extends TokenResponse {
  @Output.ulid({
    description: 'Organization that the person joined. Select it to get a token for it.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  joinedTenantId: string;
}

export class InvitedRegistrationDto {
  @Input(MAILED_TOKEN)
  token: string;

  @Input(passwordField('set'), {
    optional: true,
    description: 'Left out by a person who adds a passkey next, or signs in otherwise.',
  })
  password?: string;

  @Input(FIRST_NAME)
  firstName: string;

  @Input(LAST_NAME, { optional: true })
  lastName?: string;

  @Input(DISPLAY_NAME, { optional: true })
  displayName?: string;

  @Input(MARKETING_OPT_IN, { optional: true })
  marketingOptIn?: boolean;
}
