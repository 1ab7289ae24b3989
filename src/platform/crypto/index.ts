export {
  API_KEY_PATTERN,
  type ApiKeyKind,
  createApiKey,
  hashApiKey,
  hashesOfApiKey,
  isApiKeyOf,
  type ParsedApiKey,
  parseApiKey,
  resemblesApiKey,
} from './api-key.js';
export { KeyDerivation, type Mac } from './key-derivation.js';
export { keyedHash, keyedHashes } from './keyed-hash.js';
export { createOneTimeToken, hashOneTimeToken } from './one-time-token.js';
export { CODE_CHALLENGE, CODE_VERIFIER, codeChallengeOf, fitsChallenge } from './pkce.js';
export { type PublishedKey, PublishesKeys, PublishesKeysMark } from './published-keys.js';
export { isSameText } from './same-text.js';
export { Sealer, UnknownSeal } from './sealer.js';
export { createClientSecret, matchesClientSecret } from './client-secret.js';
