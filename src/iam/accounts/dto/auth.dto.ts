import { EmailField, OptionalBooleanField, PasswordField, TextField } from '../../../platform/api/index.js';

const TokenField = () =>
  TextField({
    max: 512,
    example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
    description: 'Token of the mailed link.',
  });

export class RegisterDto {
  @EmailField()
  email: string;

  @PasswordField('set')
  password: string;

  @TextField({ max: 100, example: 'Ada' })
  firstName: string;

  @TextField({
    max: 200,
    example: 'Lovelace Logistics',
    optional: true,
    description: 'Name of the company: the default name of organizations that the person creates.',
  })
  company?: string;

  @TextField({ max: 100, example: 'GB', optional: true })
  country?: string;

  @OptionalBooleanField('Consent to marketing communications.')
  marketingOptIn?: boolean;
}

export class EmailDto {
  @EmailField()
  email: string;
}

export class VerifyEmailDto {
  @TokenField()
  token: string;

  @PasswordField('compare', {
    optional: true,
    description: 'Password with which the address was registered.',
  })
  password?: string;
}

export class RefuseRegistrationDto {
  @TokenField()
  token: string;
}

export class ResetPasswordDto {
  @TokenField()
  token: string;

  @PasswordField('set')
  newPassword: string;
}
