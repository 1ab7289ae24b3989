import { Tag } from '../platform/api/index.js';

/** API tag "SAML apps". */
export const SamlAppsTag = () => Tag('SAML apps', 'Sign-in to other software, by SAML 2.0.');
