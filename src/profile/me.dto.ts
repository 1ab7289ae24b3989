import { emailField, Input, passwordField } from '../platform/api/index.js';
import {
  COMPANY,
  COUNTRY,
  DISPLAY_NAME,
  FIRST_NAME,
  LAST_NAME,
  LOCALE,
  MARKETING_OPT_IN,
} from '../iam/index.js';

const CLEARABLE = { optional: true, nullable: true, description: 'null clears it.' };

export class UpdateProfileDto {
  @Input(FIRST_NAME, { optional: true })
  firstName?: string;

  @Input(LAST_NAME, CLEARABLE)
  lastName?: string | null;

  @Input(DISPLAY_NAME, { optional: true, nullable: true })
  displayName?: string | null;

  @Input(COMPANY, CLEARABLE)
  company?: string | null;

  @Input(COUNTRY, CLEARABLE)
  country?: string | null;

  @Input(MARKETING_OPT_IN, { optional: true })
  marketingOptIn?: boolean;

  @Input(LOCALE, CLEARABLE)
  locale?: string | null;
}

export class ChangeEmailDto {
  @Input(emailField())
  email: string;
}

export class ChangePasswordDto {
  @Input(passwordField('compare'))
  currentPassword: string;

  @Input(passwordField('set'))
  newPassword: string;
}
