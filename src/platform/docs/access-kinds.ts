import type { ErrorCode } from '../errors/index.js';
import type { DocumentedRoute } from './documented-route.js';

/** What a kind of access means for a client: what to send, and what may come back for want of it. */
interface AccessKind {
  readonly security: readonly Record<string, string[]>[];
  readonly problems: readonly ErrorCode[];
  /** A sentence for the description of the operation. */
  readonly sentence: string;
}

const TOKEN = [{ bearer: [] }];

/** The kinds by the first word of {@link DocumentedRoute.access}. */
const KINDS: Readonly<Record<string, AccessKind>> = {
  public: { security: [], problems: [], sentence: 'Needs no access token.' },
  bearer: { security: TOKEN, problems: ['unauthenticated'], sentence: 'Needs an access token.' },
  app: {
    security: TOKEN,
    problems: ['unauthenticated', 'forbidden'],
    sentence: "Needs an access token of the app itself: a satellite's is refused.",
  },
};

/** What the declared access of a route means for a client. A kind that is not listed asks for more than a token. */
export function accessKindOf({ access }: Pick<DocumentedRoute, 'access'>): AccessKind {
  const known = KINDS[/^\w+/.exec(access)?.[0] ?? ''];
  return (
    known ?? {
      security: TOKEN,
      problems: ['unauthenticated', 'forbidden'],
      sentence: `Needs an access token, and \`${access}\`.`,
    }
  );
}

/** The reason in `@Public('why')`, for whoever reviews what is open. */
export function publicReasonOf({ access }: Pick<DocumentedRoute, 'access'>): string | null {
  return /^public: (.*)$/.exec(access)?.[1] ?? null;
}
