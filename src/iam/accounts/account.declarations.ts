import { booleanField, localeField, Tag, textField } from '../../platform/api/index.js';
import { SilentBucket, StrictBucket } from '../../platform/rate-limit/index.js';

/** Groups operations under the API tag "Me". */
export const MeTag = () => Tag('Me', "The caller's own account and sessions.");

/** Groups operations under the API tag "Accounts". */
export const AccountsTag = () =>
  Tag('Accounts', 'Registration, verification of the address, password reset, deletion.');

/**
 * Every route except login that hashes a password. Accounts are free, so a limit per account would
 * limit no caller.
 */
export const HASH_LIMIT = new StrictBucket('hash', 'RATE_HASH');

export const PASSWORD_RESET_LIMIT = new StrictBucket('request-password-reset', 'RATE_RESET');

/** The specification requires the route to report success in any case. */
export const RESEND_LIMIT = new SilentBucket('resend-verification', 'RATE_RESET');

export const FIRST_NAME = textField({
  max: 100,
  example: 'Ada',
  description: 'Given name, the claim `given_name` (OpenID Connect Core section 5.1).',
});

export const LAST_NAME = textField({
  max: 100,
  example: 'Lovelace',
  description: 'Family name, the claim `family_name` (OpenID Connect Core section 5.1).',
});

export const DISPLAY_NAME = textField({
  max: 100,
  example: 'Countess Lovelace',
  description: 'Name to show in place of first and last name.',
});

export const WHOLE_NAME = textField({
  max: 201,
  example: 'Countess Lovelace',
  description: 'Name as it is shown: `displayName`, or else `firstName` and `lastName`.',
});

export const COMPANY = textField({ max: 200, example: 'Lovelace Logistics' });

export const COUNTRY = textField({ max: 100, example: 'GB' });

export const MARKETING_OPT_IN = booleanField({ description: 'Consent to marketing communications.' });

export const LOCALE = localeField({
  description:
    'Language of mails and of reasons for denials. Without one, the Accept-Language of each request counts.',
});

/** Only what a token can be, as it becomes part of a mailed link. */
export const INVITATION_TOKEN = textField({
  max: 43,
  pattern: /^[\w-]{43}$/,
  shape: 'the token of a mailed link',
  example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
  description: 'Token of the invitation that the person comes from: the link in the mail leads back to it.',
});

export const MAILED_TOKEN = textField({
  max: 512,
  example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
  description: 'Token of the mailed link.',
});
