import { type Deed, ifArchived, type Intent, reading, type ScopeFacts, tenantOf } from './facts.js';
import { givableRoles } from './givable.js';
import { holds, newId, type Role } from './world.js';

const EXCEEDS =
  'The service account holds permissions that you do not hold yourself. Ask a member who holds them.';
const DISABLED_ALREADY = 'The service account is disabled already.';
const NOT_DISABLED = 'The service account is not disabled.';

/** Reasons for which the state of a service account forbids a command. */
export const MACHINE_SENTENCES: readonly string[] = [EXCEEDS, DISABLED_ALREADY, NOT_DISABLED];

/** Chooses roles for a service account: those that the caller may give, without the owner's. */
const rolesFor = (deed: Deed): Role[] => givableRoles(deed).filter(({ key }) => key !== 'owner');
const keysFor = (deed: Deed): { roles: string[] } | null => {
  const roles = rolesFor(deed).map(({ key }) => key);
  return roles.length > 0 ? { roles } : null;
};
const accountOf = (intent: Intent) => tenantOf(intent).serviceAccounts.get(intent.id)!;
const change = (deed: Deed, changes: object): void =>
  void tenantOf(deed).serviceAccounts.set(deed.id, { ...accountOf(deed), ...changes });

/** Whether a route is about client credentials. */
const ofCredentials = ({ route }: Deed): boolean => route.includes('/credentials');

/** Keys that an account can have. */
const MAX_KEYS = 10;
/** Rules that an account can have. */
const MAX_RULES = 20;

/** Clients that an organization can have. */
const MAX_CLIENTS = 100;

/** The first client of the selected organization; any, where there is none. */
const clientIn = ({ caller }: Pick<Intent, 'caller'>): { clientId: string } => ({
  clientId: [...(caller.tenant?.clients ?? [])][0] ?? newId(),
});
/** No body, or none that could succeed without a client. */
const ifClient = ({ caller }: Deed): undefined | null => (caller.tenant?.clients.size ? undefined : null);

/** The account that a path names with a key; any, where there is no such key. */
const accountOfKey = ({ caller, id }: Pick<Intent, 'caller' | 'id'>): string =>
  caller.tenant?.apiKeys.get(id) ?? newId();

function ifExceeding(intent: Intent): string | false {
  const { caller, declared } = intent;
  const scopes = accountOf(intent).roleIds.flatMap((id) => tenantOf(intent).roles.get(id)?.scopes ?? []);
  return scopes.some((scope) => declared.includes(scope) && !holds(caller, scope)) && EXCEEDS;
}

export const MACHINE_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:service-account:read': reading,
  'iam:service-account:create': {
    whyNot: ifArchived,
    body: (deed) => {
      const keys = keysFor(deed);
      return keys && { name: 'New', ...keys };
    },
    done: (deed, _: object, { id }) => {
      const roleIds = rolesFor(deed).map((role) => role.id);
      tenantOf(deed).serviceAccounts.set(id, { roleIds, disabled: false });
    },
  },
  'iam:service-account:update': {
    whyNot: (intent) => ifArchived(intent) || ifExceeding(intent),
    body: keysFor,
    done: (deed) => change(deed, { roleIds: rolesFor(deed).map(({ id }) => id) }),
  },
  'iam:service-account:delete': {
    whyNot: (intent) => ifArchived(intent) || ifExceeding(intent),
    done: (deed) => {
      const { serviceAccounts, apiKeys, trustRules } = tenantOf(deed);
      serviceAccounts.delete(deed.id);
      for (const held of [apiKeys, trustRules])
        for (const [id, accountId] of held) if (accountId === deed.id) held.delete(id);
    },
  },
  'iam:key-policy:read': reading,
  'iam:key-policy:update': {
    whyNot: ifArchived,
    // Not less than the default lifetime, with which keys are created.
    body: ({ choice }) => ({ personalKeys: choice % 2 === 0, maxLifetimeDays: choice % 3 ? 90 : null }),
    done: (deed, { personalKeys }: { personalKeys: boolean }) => {
      if (!personalKeys) tenantOf(deed).personalKeys.clear();
    },
  },
  'iam:client:read': reading,
  'iam:client:create': {
    whyNot: ifArchived,
    body: ({ caller }) =>
      (caller.tenant?.clients.size ?? 0) < MAX_CLIENTS
        ? { name: 'New', redirectUris: ['https://app.example.com/callback'] }
        : null,
    done: (deed, _: object, answer) =>
      void tenantOf(deed).clients.add((answer as object as { clientId: string }).clientId),
  },
  'iam:client:update': {
    whyNot: ifArchived,
    others: clientIn,
    body: ({ caller }) => (caller.tenant?.clients.size ? { name: 'Changed' } : null),
    done: () => undefined,
  },
  'iam:client:rotate-secret': {
    whyNot: ifArchived,
    others: clientIn,
    body: ifClient,
    done: () => undefined,
  },
  'iam:client:delete': {
    whyNot: ifArchived,
    others: clientIn,
    body: ifClient,
    done: (deed) => void tenantOf(deed).clients.delete(clientIn(deed).clientId),
  },
  'iam:trust-rule:read': reading,
  'iam:trust-rule:create': {
    whyNot: (intent) => ifArchived(intent) || ifExceeding(intent),
    body: (deed) => {
      const own = [...(deed.caller.tenant?.trustRules.values() ?? [])].filter((id) => id === deed.id);
      const rule = { issuer: 'https://ci.example', audience: 'gatehouse', conditions: { sub: 'build' } };
      return own.length < MAX_RULES ? rule : null;
    },
    done: (deed, _: object, { id }) => void tenantOf(deed).trustRules.set(id, deed.id),
  },
  'iam:trust-rule:delete': {
    whyNot: ifArchived,
    others: ({ caller, id }) => ({ accountId: caller.tenant?.trustRules.get(id) ?? newId() }),
    done: (deed) => void tenantOf(deed).trustRules.delete(deed.id),
  },
  'iam:api-key:read': reading,
  'iam:api-key:create': {
    whyNot: (intent) => ifArchived(intent) || ifExceeding(intent),
    body: (deed) => {
      const { apiKeys = new Map<string, string>(), secrets = new Set<string>() } = deed.caller.tenant ?? {};
      const isSecret = ofCredentials(deed);
      const own = [...apiKeys].filter(([id, owner]) => owner === deed.id && secrets.has(id) === isSecret);
      if (own.length >= MAX_KEYS) return null;
      return isSecret ? { kind: 'secret' } : { name: 'New' };
    },
    done: (deed, _: object, { id }) => {
      tenantOf(deed).apiKeys.set(id, deed.id);
      if (ofCredentials(deed)) tenantOf(deed).secrets.add(id);
    },
  },
  'iam:api-key:revoke': {
    whyNot: ifArchived,
    others: (intent) => ({ accountId: accountOfKey(intent) }),
    // Keys and credentials are revoked by routes of their own.
    body: (deed) => (deed.caller.tenant?.secrets.has(deed.id) === ofCredentials(deed) ? undefined : null),
    done: (deed) => void tenantOf(deed).apiKeys.delete(deed.id),
  },
  'iam:service-account:disable': {
    whyNot: (intent) => ifArchived(intent) || (accountOf(intent).disabled && DISABLED_ALREADY),
    done: (deed) => change(deed, { disabled: true }),
  },
  'iam:service-account:enable': {
    whyNot: (intent) =>
      ifArchived(intent) || (!accountOf(intent).disabled && NOT_DISABLED) || ifExceeding(intent),
    done: (deed) => change(deed, { disabled: false }),
  },
};
