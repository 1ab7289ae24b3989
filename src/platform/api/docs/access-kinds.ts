import type { ErrorCode } from '../../errors/index.js';
import type { DocumentedRoute } from './documented-route.js';

/** What a kind of access means for a client: what to send, and what may come back for want of it. */
interface AccessKind {
  readonly security: readonly Record<string, string[]>[];
  readonly problems: readonly ErrorCode[];
  /** A sentence for the description of the operation. */
  readonly sentence: string;
}

const PUBLIC: AccessKind = { security: [], problems: [], sentence: 'Needs no access token.' };
const TOKEN = [{ bearer: [] }];

/** What the declared access of a route means for a client. A route that takes more than any token may refuse one. */
export function accessKindOf({ access, clients }: Pick<DocumentedRoute, 'access' | 'clients'>): AccessKind {
  if (clients === 'anyone') return PUBLIC;
  if (clients === 'app and satellites')
    return { security: TOKEN, problems: ['unauthenticated'], sentence: 'Needs an access token.' };
  const sentences = [
    access === 'bearer' ? 'Needs an access token.' : `Needs an access token, and \`${access}\`.`,
    clients === 'app'
      ? "A satellite's is refused."
      : "A satellite's registration has to name the scope as well.",
  ];
  return { security: TOKEN, problems: ['unauthenticated', 'forbidden'], sentence: sentences.join(' ') };
}

/** The reason in `@Public('why')`, for whoever reviews what is open. */
export function publicReasonOf({ access }: Pick<DocumentedRoute, 'access'>): string | null {
  return /^public: (.*)$/.exec(access)?.[1] ?? null;
}
