import type { ErrorCode } from '../../errors/index.js';
import type { DocumentedRoute } from './documented-route.js';

/** What a route's access means for a client: what to send, and the errors if it is missing. */
interface AccessKind {
  readonly security: readonly Record<string, string[]>[];
  readonly problems: readonly ErrorCode[];
  /** Sentence in the description of the operation. */
  readonly sentence: string;
}

const PUBLIC: AccessKind = { security: [], problems: [], sentence: 'Requires no access token.' };
const TOKEN = [{ bearer: [] }];
const REFUSALS = ['unauthenticated', 'forbidden'] as const;

/**
 * Documents the declared access of a route. A route that does not accept every token may answer
 * 403.
 */
export function accessKindOf({ access, clients }: Pick<DocumentedRoute, 'access' | 'clients'>): AccessKind {
  if (clients === 'anyone') return PUBLIC;
  if (clients === 'set-up links')
    return {
      security: [{ setupLink: [] }],
      problems: REFUSALS,
      sentence: 'Requires a set-up link; access tokens are refused.',
    };
  if (clients === 'app and satellites')
    return { security: TOKEN, problems: REFUSALS, sentence: 'Requires an access token.' };
  if (clients === 'openid clients')
    return {
      security: TOKEN,
      problems: REFUSALS,
      sentence: 'Requires an access token of a client of OpenID Connect.',
    };
  const sentences = [
    access === 'bearer' ? 'Requires an access token.' : `Requires an access token, and \`${access}\`.`,
    clients === 'app'
      ? 'Tokens of satellites are refused.'
      : "A satellite's registration must name the scope as well.",
  ];
  return { security: TOKEN, problems: REFUSALS, sentence: sentences.join(' ') };
}

/** @returns the reason given to `@Public('why')`, or null if the route is not public */
export function publicReasonOf({ access }: Pick<DocumentedRoute, 'access'>): string | null {
  return /^public: (.*)$/.exec(access)?.[1] ?? null;
}
