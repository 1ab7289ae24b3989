import { Tag } from '../platform/http/index.js';

/** What is told of under "External sign-in" in the API documentation. */
export const ExternalSignInChapter = () =>
  Tag('External sign-in', 'Google, Facebook, Apple, any OpenID Connect provider, SAML.');
