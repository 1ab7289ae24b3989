import { Tag } from '../platform/api/index.js';
import { StrictBucket } from '../platform/rate-limit/index.js';

/** Groups operations under the API tag "Single sign-on". */
export const SingleSignOnTag = () =>
  Tag('Single sign-on', 'Verified domains of an organization, and connections to its identity providers.');

/** Groups operations under the API tag "Set-up". */
export const SetupTag = () =>
  Tag('Set-up', 'What the holder of a set-up link does for an organization, without an account.');

/** Set-up links cause requests to DNS servers and to identity providers. */
export const SETUP_LIMIT = new StrictBucket('setup-link', 'RATE_SETUP');
