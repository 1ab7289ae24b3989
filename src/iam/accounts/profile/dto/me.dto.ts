import { OptionalBooleanField, PasswordField, TextField } from '../../../../platform/api/index.js';

export class UpdateProfileDto {
  @TextField({ max: 100, example: 'Ada', optional: true })
  firstName?: string;

  @TextField({
    max: 200,
    example: 'Lovelace Logistics',
    optional: true,
    nullable: true,
    description: 'null clears it.',
  })
  company?: string | null;

  @TextField({ max: 100, example: 'GB', optional: true, nullable: true, description: 'null clears it.' })
  country?: string | null;

  @OptionalBooleanField('Consent to marketing communications.')
  marketingOptIn?: boolean;
}

export class ChangePasswordDto {
  @PasswordField('compare')
  currentPassword: string;

  @PasswordField('set')
  newPassword: string;
}
