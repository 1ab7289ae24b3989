import { Tag } from '../platform/api/index.js';

/** API tag "OpenID Connect". */
export const OpenIdTag = () =>
  Tag('OpenID Connect', 'Sign-in to other software, by OAuth 2.0 and OpenID Connect.');
