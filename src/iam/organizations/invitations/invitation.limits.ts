import { StrictBucket } from '../../../platform/rate-limit/index.js';

/** The token is the only proof, so that guesses are limited as those of a login. */
export const PREVIEW_LIMIT = new StrictBucket('invitation-preview', 'RATE_LOGIN');
