import { createHmac } from 'node:crypto';
import type { Client } from '../../client/index.js';
import type { SessionId } from '../../kernel/index.js';

type Named = Pick<Client, 'sidKey'>;

/**
 * Returns the name of a session for a client (SessionIndex): a MAC under the key of the client, so
 * that it is the same in each assertion, and two apps cannot tell that they have the same visitor.
 */
export const sessionIndexOf = (client: Named, sessionId: SessionId): string =>
  `_${macOf(client, `saml session ${sessionId}`)}`;

/** Returns the transient name of the person of a session for a client. */
export const transientNameOf = (client: Named, sessionId: SessionId): string =>
  `_${macOf(client, `saml transient ${sessionId}`)}`;

const macOf = ({ sidKey }: Named, text: string): string =>
  createHmac('sha256', sidKey).update(text).digest('hex').slice(0, 40);
