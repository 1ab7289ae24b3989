import { Tag } from '../platform/api/index.js';
import { StrictBucket } from '../platform/rate-limit/index.js';

/** Adds the operations of a controller to the API tag "External sign-in". */
export const ExternalSignInTag = () =>
  Tag('External sign-in', 'Google, Facebook, Apple, any OpenID Connect provider, SAML.');

export const OPTIONS_LIMIT = new StrictBucket('options', 'RATE_OPTIONS');
