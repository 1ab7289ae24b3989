import { StrictBucket } from '../platform/rate-limit/index.js';

export const LOGIN_LIMIT = new StrictBucket('login', 'RATE_LOGIN');

export const REFRESH_LIMIT = new StrictBucket('refresh', 'RATE_REFRESH');
