import { Tag } from '../platform/api/index.js';

/** What is told of under "External sign-in" in the API documentation. */
export const ExternalSignInTag = () =>
  Tag('External sign-in', 'Google, Facebook, Apple, any OpenID Connect provider, SAML.');
