import { booleanField, localeField, textField } from '../../platform/api/index.js';

export const FIRST_NAME = textField({ max: 100, example: 'Ada' });

export const LAST_NAME = textField({ max: 100, example: 'Lovelace' });

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
