import { SilentBucket, StrictBucket } from '../../platform/rate-limit/index.js';

/**
 * Every route except login that hashes a password. Accounts are free, so a limit per account would
 * limit no caller.
 */
export const HASH_LIMIT = new StrictBucket('hash', 'RATE_HASH');

export const PASSWORD_RESET_LIMIT = new StrictBucket('request-password-reset', 'RATE_RESET');

/** The specification requires the route to report success in any case. */
export const RESEND_LIMIT = new SilentBucket('resend-verification', 'RATE_RESET');
