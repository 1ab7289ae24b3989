import { declareErrors } from '../platform/errors/index.js';
import { messages } from './openid.messages.js';

/** Errors of decisions about clients. */
const errors = declareErrors({
  'agent-not-allowed': {
    status: 403,
    title: 'Agent Not Allowed',
    detail: messages['error.agent-not-allowed'],
    message: 'error.agent-not-allowed',
    remedy: 'Allow the client in the agent policy of the organization, with scopes of the API.',
  },
});

declare module '../platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}
