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
export function accessKindOf(route: Pick<DocumentedRoute, 'access' | 'clients' | 'path'>): AccessKind {
  const { access, clients } = route;
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
    access === 'bearer'
      ? 'Requires an access token.'
      : `Requires an access token, and ${permissionOf(route)}.`,
    clients === 'app'
      ? 'Tokens of satellites are refused.'
      : "A satellite's registration must name the scope as well.",
  ];
  return { security: TOKEN, problems: REFUSALS, sentence: sentences.join(' ') };
}

/** Says in words what a route declares: `iam:member:remove on :userId in tenant :id`. */
function permissionOf({ access, path }: Pick<DocumentedRoute, 'access' | 'path'>): string {
  const [declared = '', tenant] = access.split(' in tenant :');
  const [scopes = '', subject] = declared.split(' on :');
  const isTenant = subject !== undefined && path.includes(`/tenants/:${subject}`);
  const organization = tenant ?? (isTenant ? subject : undefined);
  const subjectPart = subject === undefined || subject === organization ? '' : ` for \`{${subject}}\``;
  const tenantPart = organization === undefined ? '' : ` in the organization \`{${organization}}\``;
  return `the permission \`${scopes.split(' ').join('`, `')}\`${subjectPart}${tenantPart}`;
}

/** @returns the reason given to `@Public('why')`, or null if the route is not public */
export function publicReasonOf({ access }: Pick<DocumentedRoute, 'access'>): string | null {
  return /^public: (.*)$/.exec(access)?.[1] ?? null;
}
