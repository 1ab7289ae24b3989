import { declareErrors } from '../platform/errors/index.js';
import { messages } from './session.messages.js';

/** Errors of refresh tokens, their clients and the selection of a tenant. */
const errors = declareErrors({
  'invalid-refresh-token': {
    status: 401,
    title: 'Invalid Refresh Token',
    detail: 'The refresh token is not valid, or its session has ended.',
    remedy: 'Sign in again.',
  },
  'invalid-client': {
    status: 401,
    title: 'Invalid Client',
    detail: 'The client id or secret is missing or wrong, or the token belongs to another client.',
    remedy:
      "Send the client id and secret of the satellite's registration, from its server, and check that the satellite is enabled and has satellite codes. A client of OpenID Connect uses /oauth2/token.",
  },
  'not-a-member': {
    status: 403,
    title: 'Not a Member',
    detail: messages['error.not-a-member'],
    message: 'error.not-a-member',
    remedy: 'Choose one of the organizations that /api/v1/iam/me/tenants lists.',
  },
});

declare module '../platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
