import { Input, Output, passwordField } from '../../platform/api/index.js';
import {
  COMPANY,
  COUNTRY,
  DISPLAY_NAME,
  FIRST_NAME,
  INVITATION_TOKEN,
  LAST_NAME,
  MAILED_TOKEN,
  MARKETING_OPT_IN,
} from './account.declarations.js';

/** Constant response of an operation that must not tell whether it had an effect. */
export class AcceptedResponse {
  @Output.word(['accepted'])
  status: 'accepted';
}

/** Constant response to a registration, whether or not the address has an account. */
export class VerificationRequiredResponse {
  @Output.word(['verification_required'])
  status: 'verification_required';
}

export class RegisterDto {
  @Input.email()
  email: string;

  @Input(passwordField('set'))
  password: string;

  @Input(FIRST_NAME)
  firstName: string;

  @Input(LAST_NAME, { optional: true })
  lastName?: string;

  @Input(DISPLAY_NAME, { optional: true })
  displayName?: string;

  @Input(COMPANY, {
    optional: true,
    description: 'Name of the company: the default name of organizations that the person creates.',
  })
  company?: string;

  @Input(COUNTRY, { optional: true })
  country?: string;

  @Input(MARKETING_OPT_IN, { optional: true })
  marketingOptIn?: boolean;

  @Input(INVITATION_TOKEN, { optional: true })
  invitation?: string;
}

export class EmailDto {
  @Input.email()
  email: string;
}

export class ResendVerificationDto extends EmailDto {
  @Input(INVITATION_TOKEN, { optional: true })
  invitation?: string;
}

class MailedTokenDto {
  @Input(MAILED_TOKEN)
  token: string;
}

export class VerifyEmailDto extends MailedTokenDto {
  @Input(passwordField('compare'), {
    optional: true,
    description: 'Password with which the address was registered.',
  })
  password?: string;
}

export class ConfirmEmailDto extends MailedTokenDto {}

export class UndoEmailDto extends MailedTokenDto {}

export class RefuseRegistrationDto extends MailedTokenDto {}

export class ResetPasswordDto {
  @Input(MAILED_TOKEN)
  token: string;

  @Input(passwordField('set'))
  newPassword: string;
}
