import { DISPLAY_NAME, FIRST_NAME, LAST_NAME, MAILED_TOKEN, MARKETING_OPT_IN } from '../../../iam/index.js';
import { Input, passwordField } from '../../../platform/api/index.js';

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
