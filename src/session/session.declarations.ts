import { ACRS } from '../kernel/index.js';
import { integerField, Tag, textField, wordField } from '../platform/api/index.js';
import { StrictBucket } from '../platform/rate-limit/index.js';

/** Operations under "Sessions" in the API documentation. */
export const SessionsTag = () =>
  Tag('Sessions', 'Login, refresh, tenant selection, step-up, and the three logouts.');

export const LOGIN_LIMIT = new StrictBucket('login', 'RATE_LOGIN');

export const REFRESH_LIMIT = new StrictBucket('refresh', 'RATE_REFRESH');

export const REFRESH_TOKEN = textField({
  max: 512,
  example: 'ghr_01K3V9D7Q8Z4X5N6M7P8R9S0T1.1.mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
});

/** Strength that a further client of a session asks for. */
export const NEEDED_ACR = wordField(ACRS, {
  example: 'aal2',
  description:
    'Strength of sign-in that the client asks for: `aal1`, one factor; `aal2`, two; `phr`, a passkey.',
});

/**
 * Age that a further client of a session asks for. At least ten seconds: a shorter one would be
 * over before the browser has come back with the confirmation.
 */
export const NEEDED_MAX_AGE = integerField({
  min: 10,
  max: 2_147_483_647,
  example: 300,
  description: 'Maximum age of the sign-in in seconds, and with `acr` of the last proof of that strength.',
});
