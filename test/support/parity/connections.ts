import { type Deed, ifArchived, type Intent, reading, type ScopeFacts, tenantOf } from './facts.js';
import { freshKey } from './givable.js';
import { type Connection, holds, isOwner, newId } from './world.js';

const IN_USE = 'A connection uses the domain. Take the domain from the connection first.';
const ACTIVE = 'The connection is active already.';
const OWNERS_ONLY = 'Only an owner can confirm or refuse it.';
const NOT_TESTED = 'The connection has not been tested since its settings changed. Test it first.';

/** Reasons for which the state of a domain or connection forbids a command. */
export const CONNECTION_SENTENCES: readonly string[] = [IN_USE, ACTIVE, NOT_TESTED, OWNERS_ONLY];

/** Those of them with which the command answers 409. */
export const CONNECTION_CONFLICTS: readonly string[] = [ACTIVE, NOT_TESTED];

/** What the creator of a link for domains must hold. */
const DOMAIN_SCOPES = ['iam:domain:create', 'iam:domain:verify'];

/** Maximum number of connections of an organization of a world; the service allows 50. */
const MAX_CONNECTIONS = 40;

const connectionOf = (intent: Intent): Connection => tenantOf(intent).connections.get(intent.id)!;

function isInUse(intent: Intent): boolean {
  return [...tenantOf(intent).connections.values()].some(({ domainId }) => domainId === intent.id);
}

export const CONNECTION_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:domain:read': reading,
  'iam:domain:create': {
    whyNot: ifArchived,
    body: () => ({ name: `${freshKey()}.example` }),
    done: (deed, _: object, { id }) => void tenantOf(deed).domains.add(id),
  },
  // The record of each domain is found: the spec stands in for the DNS.
  'iam:domain:verify': { whyNot: ifArchived, done: () => undefined },
  'iam:domain:delete': {
    whyNot: (intent) => ifArchived(intent) || (isInUse(intent) && IN_USE),
    done: (deed) => void tenantOf(deed).domains.delete(deed.id),
  },
  'iam:setup-link:read': reading,
  'iam:setup-link:create': {
    whyNot: ifArchived,
    // A link gives what its creator has.
    body: (deed) => {
      const mayCreate = tenantOf(deed) && tenantOf(deed).setupLinks.size < MAX_CONNECTIONS;
      const mayPassOn = DOMAIN_SCOPES.every((scope) => holds(deed.caller, scope));
      return mayCreate && mayPassOn ? { intents: ['domain'] } : null;
    },
    done: (deed, _: object, { id }) => void tenantOf(deed).setupLinks.add(id),
  },
  // A revoked one stays, to be listed.
  'iam:setup-link:revoke': { whyNot: ifArchived, done: () => undefined },
  'iam:connection:read': reading,
  'iam:connection:create': {
    whyNot: ifArchived,
    body: (deed: Deed) =>
      tenantOf(deed) && tenantOf(deed).connections.size >= MAX_CONNECTIONS
        ? null
        : {
            kind: 'oidc',
            name: 'New',
            settings: { issuer: 'https://idp.example.com', clientId: 'gatehouse', clientSecret: 'secret' },
          },
    done: (deed, _: object, { id }) =>
      void tenantOf(deed).connections.set(id, { isActive: false, isTested: false, domainId: null }),
  },
  'iam:connection:update': {
    whyNot: ifArchived,
    body: ({ route }) => {
      // Allowed ones need a connection by SAML: e2e/connection/connection-saml.spec.ts.
      if (/\/(certificates|refresh-metadata)\b/.test(route)) return null;
      return route.startsWith('PATCH')
        ? { name: 'Changed' }
        : route.startsWith('PUT')
          ? { items: [] }
          : undefined;
    },
    others: () => ({ sha256: 'a'.repeat(64) }),
    done: (deed) => {
      if (deed.route.endsWith('/disable')) connectionOf(deed).isActive = false;
    },
  },
  // A change that waits needs a connection by SAML: e2e/connection/connection-authority.spec.ts.
  'iam:connection:confirm': {
    whyNot: (intent) =>
      ifArchived(intent) || (!isOwner(tenantOf(intent), intent.caller.user.id) && OWNERS_ONLY),
    body: () => null,
    others: () => ({ changeId: newId() }),
    done: () => undefined,
  },
  'iam:connection:activate': {
    whyNot: (intent) =>
      ifArchived(intent) ||
      (connectionOf(intent).isActive ? ACTIVE : !connectionOf(intent).isTested && NOT_TESTED),
    done: (deed) => void (connectionOf(deed).isActive = true),
  },
  // An allowed test needs a provider: e2e/connection/connection-tests.spec.ts.
  'iam:connection:test': { whyNot: ifArchived, body: () => null, done: () => undefined },
  'iam:connection:delete': {
    whyNot: ifArchived,
    done: (deed) => void tenantOf(deed).connections.delete(deed.id),
  },
};
