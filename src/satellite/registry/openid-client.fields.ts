import { booleanField, listField, textField, wordField } from '../../platform/api/index.js';
import {
  CLIENT_AUTH_METHODS,
  CLIENT_GRANT_TYPES,
  CLIENT_TYPES,
  ID_TOKEN_ALGS,
  LOGOUT_REACHES,
} from './client-traits.js';

const WEB_ADDRESS = { max: 500, pattern: /^https?:\/\/.{1,490}$/, shape: 'an https address' } as const;

export const CLIENT_TYPE = wordField(CLIENT_TYPES);

export const FIRST_PARTY = booleanField({
  example: false,
  description: 'A client of your own: visitors are never asked for consent.',
});

export const GRANT_TYPES = listField({
  min: 1,
  max: CLIENT_GRANT_TYPES.length,
  itemMax: 64,
  pattern: new RegExp(`^(?:${CLIENT_GRANT_TYPES.join('|')})$`),
  message: `must be one of ${CLIENT_GRANT_TYPES.join(', ')}`,
  example: ['authorization_code', 'refresh_token'],
  description: 'Without `refresh_token`, the client gets none at the token endpoint of OAuth.',
});

export const AUTH_METHOD = wordField(CLIENT_AUTH_METHODS);

export const POST_LOGOUT_REDIRECT_URIS = listField({
  max: 20,
  itemMax: 500,
  pattern: WEB_ADDRESS.pattern,
  message: 'must be an https address of at most 500 characters (http for localhost)',
  example: ['https://help.example.com/'],
  description: 'Addresses to which a visitor may return after a logout that the client began.',
});

export const BACKCHANNEL_LOGOUT_URI = textField({
  ...WEB_ADDRESS,
  example: 'https://help.example.com/backchannel-logout',
  description: 'Receives a logout token when a session ends (OpenID Connect Back-Channel Logout 1.0).',
});

export const REQUIRE_PAR = booleanField({
  example: false,
  description: 'Whether authorization requests must be pushed (RFC 9126).',
});

export const ID_TOKEN_ALG = wordField(ID_TOKEN_ALGS);

export const LOGO_URI = textField({
  ...WEB_ADDRESS,
  example: 'https://help.example.com/logo.svg',
  description: 'Shown to visitors who are asked for consent.',
});

export const LOGOUT_REACH = wordField(LOGOUT_REACHES, {
  description:
    'How the end of a session reaches the client: `immediate` by its back channel, `next-refresh` after ten minutes at most, `own-session` when the session ends that the client keeps.',
});
