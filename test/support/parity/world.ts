import { type Acr, ACRS } from '../../../src/kernel/index.js';
import { monotonicFactory, ulid } from 'ulid';
import type { AbilityRegistry } from '../../../src/ability/index.js';
import { createApiKey } from '../../../src/platform/crypto/index.js';
import type {
  ASSIGNED_ON,
  FactorPlan,
  InvitationState,
  PolicyPlan,
  SessionState,
  WorldPlan,
} from './plan.js';

/** Increments within a millisecond: much faster than random ids, of which a world needs many. */
export const newId = monotonicFactory();

export interface Role {
  readonly id: string;
  readonly key: string;
  readonly builtIn: boolean;
  scopes: readonly string[];
}

interface Invitation {
  readonly id: string;
  readonly roleIds: readonly string[];
  state: InvitationState;
}

interface ServiceAccount {
  readonly roleIds: readonly string[];
  readonly disabled: boolean;
}

/** Key of a service account or a member, with which it calls. */
interface Key {
  readonly id: string;
  readonly owner: 'service-account' | 'person';
  readonly lookup: string;
  readonly plainKey: string;
  /** Scopes that restrict the roles; null for all that they give. */
  readonly scopes: readonly string[] | null;
  /** Strength of the sign-in that made it; null for a service account. */
  readonly acr: Acr | null;
}

/** What a tenant asks of sign-ins. */
export interface Policy extends Omit<PolicyPlan, 'daysAgo'> {
  /** Time since which it asks for its second factor, in milliseconds; null if it asks for none. */
  readonly since: number | null;
}

/** Connection to an identity provider. */
export interface Connection {
  isActive: boolean;
  isTested: boolean;
  /** Domain that it uses, if any. */
  readonly domainId: string | null;
}

/** What decides whether an offer of a partnership is open. */
export interface Offer {
  readonly offeredBy: string;
  /** Ids of the roles that it offers. */
  offeredRoles: readonly string[];
}

/** Request of a member for a role. */
export interface AccessRequest {
  readonly userId: string;
  readonly roleId: string;
  isPending: boolean;
}

/** Role of a member on one thing. */
export interface Assignment {
  readonly userId: string;
  readonly roleId: string;
  /** Module, collection and id. */
  readonly thing: string;
  readonly ended: boolean;
}

export interface Tenant extends Offer {
  readonly id: string;
  archived: boolean;
  /** The name that deleting has to confirm. */
  name: string;
  deletionScheduled: boolean;
  /** Whether connections of other tenants open it. */
  readonly otherConnections: boolean;
  policy: Policy | null;
  readonly roles: Map<string, Role>;
  /** Ids of the roles by member. */
  readonly members: Map<string, readonly string[]>;
  /** Roles on things by id. One goes with its member: see `assignmentsOf`. */
  readonly assignments: Map<string, Assignment>;
  /** Thing of another service that commands register and remove. */
  readonly spareThing: string;
  isRegistered: boolean;
  /** Members whose membership is suspended. */
  readonly suspended: Set<string>;
  readonly invitations: Map<string, Invitation>;
  readonly domains: Set<string>;
  readonly setupLinks: Set<string>;
  readonly stations: Set<string>;
  /** A request goes with its member and its role: see `idsOfRequests`. */
  readonly requests: Map<string, AccessRequest>;
  readonly partnerships: Set<string>;
  /** Those that members have offered in a walk. */
  readonly offers: Map<string, Offer>;
  /** Seeded partnership with the other tenant. */
  readonly partnershipId: string;
  partnership: WorldPlan['tenants'][number]['partnership'];
  /** Things on which it offers the roles; null for the whole tenant. */
  readonly offeredThings: readonly string[] | null;
  /** Ids of the roles by user whom the other tenant has put on it. Members of this one are none. */
  readonly partners: Map<string, readonly string[]>;
  /** Users whom a walk has put on it: for the grace of the sign-in policy, they joined just now. */
  readonly newPartners: Set<string>;
  readonly connections: Map<string, Connection>;
  readonly serviceAccounts: Map<string, ServiceAccount>;
  /** Accounts of keys. */
  readonly apiKeys: Map<string, string>;
  /** Seeded keys by account. */
  readonly keys: Map<string, Key>;
  /** Keys of members that have not ended, by user. */
  readonly personalKeys: Map<string, Key>;
  /** Accounts of trust rules. */
  readonly trustRules: Map<string, string>;
  /** Client ids of clients of OpenID Connect. */
  readonly clients: Set<string>;
  /** Those of the keys that are client credentials. */
  readonly secrets: Set<string>;
}

export interface Session {
  readonly id: string;
  readonly userId: string;
  /** In seconds. */
  readonly age: number;
  state: SessionState;
}

export interface Client {
  readonly id: string;
  readonly clientId: string;
  disabled: boolean;
  /** Registered scopes. */
  scopes: readonly string[];
}

interface User {
  readonly id: string;
  /** Whether they have an authenticator app of their own. */
  readonly isEnrolled: boolean;
  /** Whether they have one that a session of the first tenant's connection added. */
  readonly isEnrolledInFirst: boolean;
  /** Current session. */
  readonly session: Session;
}

/** Caller, with the selected tenant. */
export interface Caller {
  readonly user: User;
  readonly tenant: Tenant | null;
  /** Age of the sign-in, in seconds. */
  readonly signedInAgo: number;
  readonly factor: FactorPlan | null;
  /** Tenant whose connection is all that stands behind the session; null for an own proof. */
  readonly assuredBy: string | null;
  /** Satellite that acts for the user; null for the first-party app. */
  readonly client: Client | null;
  /** Key of `user`, who then stands for a service account or a member; null for a sign-in. */
  readonly key: Key | null;
}

export interface Identity {
  readonly userId: string;
  /** Whether its provider is still configured. */
  readonly opens: boolean;
}

/** Delivery of an event to a subscription. */
interface Delivery {
  /** As of its subscription. */
  readonly tenantId: string;
  readonly subscriptionId: string;
}

/** Directory; a seeded one has a user and, until it is revoked, a token of the same id. */
interface Directory {
  readonly tenantId: string;
  readonly isSeeded: boolean;
  hasFirstToken: boolean;
  tokens: number;
}

/** What a service account has of a person: nothing. */
const NO_PERSON = {
  isOperator: false,
  isEnrolled: false,
  isEnrolledInFirst: false,
  session: { id: '', userId: '', age: 0, state: 'alive' },
} as const;

/** Tenant of what belongs to the platform. */
export const PLATFORM = '';

/** State of the database as the test knows it, from which it derives expectations. */
export class World {
  readonly users: readonly User[];
  readonly sessions = new Map<string, Session>();
  readonly tenants: readonly Tenant[];
  readonly satellites: Map<string, Client>;
  /** Ids of APIs of the platform. */
  readonly apis = new Set<string>();
  readonly identities = new Map<string, Identity>();
  /** Users whose second factors an operator's reset will remove. */
  readonly resets: Set<string>;
  /** Tenants of subscriptions to events, by id. */
  readonly subscriptions = new Map<string, string>();
  readonly deliveries = new Map<string, Delivery>();
  readonly directories = new Map<string, Directory>();
  /** Roles of users who are operators. A removed one is left out. */
  readonly operators: Map<string, 'support' | 'admin'>;
  /** Scopes to which operators are restricted; left out for none. */
  readonly operatorScopes = new Map<string, readonly string[]>();
  /** Users whose account is suspended. */
  readonly suspended: Set<string>;
  /** Users who have a password. */
  readonly withPassword: Set<string>;

  constructor(plan: WorldPlan, registry: AbilityRegistry) {
    this.satellites = new Map(
      plan.satellites.map(({ disabled, scopes }) => {
        const id = newId();
        return [id, newSatellite(id, `s${id.toLowerCase()}`, scopes, disabled)];
      }),
    );
    this.users = plan.sessions.map((others, n) => {
      const userId = newId();
      for (const opens of plan.identities[n]!) this.identities.set(newId(), { userId, opens });
      const session = this.addSession(userId, 'alive', plan.sessionAges[n]!);
      for (const state of others) this.addSession(userId, state);
      const isEnrolled = plan.enrolled[n]!;
      const isEnrolledInFirst = !isEnrolled && plan.enrolledInFirst[n]!;
      return { id: userId, isEnrolled, isEnrolledInFirst, session };
    });
    this.operators = new Map(
      this.users.flatMap(({ id }, n) => {
        const role = plan.operators[n]!;
        return role === null ? [] : [[id, role] as const];
      }),
    );
    this.withPassword = new Set(this.users.filter((_, n) => n % 2 === 0).map(({ id }) => id));
    const founders = plan.tenants.length;
    const suspended = this.users.filter(
      ({ id }, n) => n >= founders && plan.suspended[n] && !this.operators.has(id),
    );
    this.suspended = new Set(suspended.map(({ id }) => id));
    for (const { id } of suspended) this.endSessions(id);
    this.resets = new Set(
      this.users.filter(({ isEnrolled }, n) => isEnrolled && plan.resets[n]).map(({ id }) => id),
    );
    this.tenants = plan.tenants.map(
      (
        {
          archived,
          deletionScheduled,
          otherConnections,
          policy,
          roles,
          members,
          suspended,
          invitations,
          partners,
          assignments,
          ...planned
        },
        n,
      ) => {
        const made = [...builtInRoles(registry), ...roles.map((scopes, m) => newRole(`own-${m}`, scopes))];
        const roleId = (number: number) => made[number % made.length]!.id;
        const { serviceAccounts, personalKeys } = planned;
        const machines = serviceAccounts.map(
          ({ role, disabled }) => [newId(), { roleIds: [roleId(role)], disabled }] as const,
        );
        const keys = new Map(
          serviceAccounts.map(
            ({ scopes }, m) => [machines[m]![0], newKey('service-account', scopes)] as const,
          ),
        );
        // Each organization has an owner.
        const founder = this.users[n]!.id;
        const domains = new Set([newId(), newId()]);
        const partnershipId = newId();
        const memberships = new Map([
          ...members.flatMap((numbers, m) =>
            numbers ? [[this.users[m]!.id, [...new Set(numbers.map(roleId))]] as const] : [],
          ),
          [founder, [made[0]!.id]],
        ]);
        const id = newId();
        const tenant: Tenant = {
          id,
          assignments: new Map(),
          spareThing: newId(),
          isRegistered: false,
          offeredThings: planned.offersThings ? [`iam/tenants/${id}`, `iam/members/${founder}`] : null,
          archived,
          name: 'Seeded',
          deletionScheduled: archived && deletionScheduled,
          otherConnections,
          policy: policy && policyOf(policy),
          roles: new Map(made.map((role) => [role.id, role])),
          members: memberships,
          requests: new Map(
            [...memberships.keys()].map((userId) => [
              newId(),
              { userId, roleId: made[2]!.id, isPending: true },
            ]),
          ),
          suspended: new Set(
            this.users
              .filter((user, m) => suspended[m] && members[m] && user.id !== founder)
              .map(({ id }) => id),
          ),
          serviceAccounts: new Map(machines),
          clients: new Set(),
          secrets: new Set(),
          keys,
          personalKeys: new Map(
            this.users.flatMap(({ id }, m) => {
              const scopes = personalKeys[m];
              return scopes === undefined
                ? []
                : [[id, newKey('person', scopes, ACRS[m % ACRS.length])] as const];
            }),
          ),
          apiKeys: new Map([...keys].map(([accountId, { id }]) => [id, accountId])),
          trustRules: new Map(machines.map(([accountId]) => [newId(), accountId])),
          invitations: new Map(
            invitations.map(({ state, role, roleIsDeleted }) => {
              const id = newId();
              const isLost = roleIsDeleted && state === 'expired';
              return [id, { id, state, roleIds: [isLost ? newId() : roleId(role)] }];
            }),
          ),
          domains,
          setupLinks: new Set([newId(), newId()]),
          stations: new Set(),
          partnerships: new Set([partnershipId]),
          offers: new Map(),
          partnershipId,
          partnership: planned.partnership,
          offeredBy: founder,
          offeredRoles: made.map(({ id }) => id),
          newPartners: new Set(),
          partners: new Map(
            this.users.flatMap(({ id }, m) => {
              const isMember = (of: number) => of === m || plan.tenants[of]!.members[m] !== null;
              const numbers = partners[m];
              return planned.partnership === 'active' &&
                numbers &&
                !isMember(n) &&
                isMember((n + 1) % plan.tenants.length)
                ? [[id, numbers.map(roleId).filter((role) => role !== made[0]!.id)] as const]
                : [];
            }),
          ),
          connections: new Map(connectionsOf([...domains].at(-1)!)),
        };
        for (const { user, role, collection, number, ended } of assignments) {
          const userId = this.users[user]!.id;
          const ids = thingsIn(tenant)[collection];
          const thing = `iam/${collection}/${ids[number % Math.max(1, ids.length)] ?? newId()}`;
          const given = made[role % made.length]!;
          if (memberships.has(userId) && given.key !== 'owner')
            tenant.assignments.set(newId(), { userId, roleId: given.id, thing, ended });
        }
        return tenant;
      },
    );
    this.endKeys();
    for (const { id: tenantId } of this.tenants)
      this.directories.set(newId(), { tenantId, isSeeded: true, hasFirstToken: true, tokens: 1 });
    for (const tenantId of [PLATFORM, ...this.tenants.map(({ id }) => id)]) {
      const subscriptionId = newId();
      this.subscriptions.set(subscriptionId, tenantId);
      this.deliveries.set(newId(), { tenantId, subscriptionId });
    }
  }

  /** Lists the tenants that a user can select. */
  tenantsOf({ id }: User): Tenant[] {
    return this.tenants.filter((tenant) => isActive(tenant, id) || this.isPartner(tenant, id));
  }

  /** Returns whether the user works in the tenant for the other one. */
  isPartner(tenant: Tenant, userId: string): boolean {
    const other = hostOf(this, tenant);
    const isOn = tenant.partners.has(userId) && tenant.partnerships.has(tenant.partnershipId);
    return isOn && isActive(other, userId) && !other.archived;
  }

  /** Lists the callers by key in a tenant. */
  machinesOf(tenant: Tenant): Pick<Caller, 'user' | 'tenant' | 'client' | 'key'>[] {
    const ofAccounts = [...tenant.keys].map(([id, key]) => ({ user: { ...NO_PERSON, id }, key }));
    const ofMembers = this.users.flatMap((user) => {
      const key = tenant.personalKeys.get(user.id);
      return key ? [{ user, key }] : [];
    });
    return [...ofAccounts, ...ofMembers]
      .map((caller) => ({ ...caller, tenant, client: null }))
      .filter((caller) => this.isPresent({ ...caller, signedInAgo: 0, factor: null, assuredBy: null }));
  }

  /** Returns whether the caller's token is still valid. */
  isPresent({ user, tenant, client, key }: Caller): boolean {
    if (key?.owner === 'person') return tenant?.archived === false && tenant.personalKeys.has(user.id);
    if (key !== null)
      return (
        tenant?.archived === false &&
        tenant.serviceAccounts.get(user.id)?.disabled === false &&
        tenant.apiKeys.has(key.id)
      );
    return (
      user.session.state === 'alive' &&
      client?.disabled !== true &&
      (tenant === null || isActive(tenant, user.id) || this.isPartner(tenant, user.id))
    );
  }

  /** Ends the sessions of a user that are alive. */
  endSessions(userId: string): void {
    for (const session of this.sessions.values())
      if (session.userId === userId && session.state === 'alive') session.state = 'ended';
  }

  /** Ends the keys of people who are no longer active in their organization: for good. */
  endKeys(): void {
    for (const tenant of this.tenants)
      for (const userId of tenant.personalKeys.keys())
        if (!isActive(tenant, userId) || this.suspended.has(userId)) tenant.personalKeys.delete(userId);
  }

  private addSession(userId: string, state: SessionState, age = 0): Session {
    const session = { id: ulid(Date.now() - age * 1_000), userId, age, state };
    this.sessions.set(session.id, session);
    return session;
  }
}

/** Returns the other tenant, of which one is a partner. */
export function hostOf({ tenants }: World, partner: Tenant | null): Tenant {
  return tenants.find((one) => one !== (partner ?? tenants[0]))!;
}

/** Lists things of a tenant on which members have roles, by collection. */
function thingsIn(tenant: Tenant): Record<(typeof ASSIGNED_ON)[number], readonly string[]> {
  const { id, members, roles, invitations, domains, connections, serviceAccounts, partnerships } = tenant;
  return {
    members: [...members.keys()],
    roles: [...roles.keys()],
    invitations: [...invitations.keys()],
    domains: [...domains],
    connections: [...connections.keys()],
    'service-accounts': [...serviceAccounts.keys()],
    'access-requests': [...tenant.requests.keys()],
    partnerships: [...partnerships],
    tenants: [id],
    brandings: [id],
  };
}

/** Lists the roles of a member on things, ended ones too. */
export function assignmentsOf({ members, assignments }: Tenant, userId: string): [string, Assignment][] {
  return members.has(userId) ? [...assignments].filter(([, one]) => one.userId === userId) : [];
}

/** Removes a member with their roles on things. */
export function removeMember(tenant: Tenant, userId: string): void {
  for (const [id] of assignmentsOf(tenant, userId)) tenant.assignments.delete(id);
  tenant.members.delete(userId);
}

/**
 * Returns whether its maker could make an offer now. Undeclared scopes are no power.
 * @param offer by default the seeded one
 */
export function isOfferOfUse(tenant: Tenant, declared: readonly string[], offer: Offer = tenant): boolean {
  const { roles, members } = tenant;
  const { offeredBy, offeredRoles } = offer;
  if (!isActive(tenant, offeredBy)) return false;
  const held = new Set((members.get(offeredBy) ?? []).flatMap((id) => roles.get(id)?.scopes ?? []));
  return (
    held.has('iam:partnership:create') &&
    offeredRoles
      .flatMap((id) => roles.get(id) ?? [])
      .every(
        ({ key, scopes }) =>
          scopes.every((scope) => held.has(scope) || !declared.includes(scope)) &&
          (key !== 'owner' || isOwner(tenant, offeredBy)),
      )
  );
}

/** Lists the roles of a person of the partner that are offered; undefined for others. */
const rolesOfPartner = ({ partners, offeredRoles }: Tenant, userId: string) =>
  partners.get(userId)?.filter((id) => offeredRoles.includes(id));

/** Returns the things on which the caller holds the scope, besides in the whole tenant. */
export function thingsWith({ user, tenant, key }: Caller, scope: string): ReadonlySet<string> {
  if (tenant === null || key?.owner === 'service-account') return new Set();
  const gives = (roleId: string) => tenant.roles.get(roleId)?.scopes.includes(scope) === true;
  const ofPartner = tenant.members.has(user.id) ? undefined : rolesOfPartner(tenant, user.id);
  if (ofPartner) {
    const isHeld = isForPartners(scope) && ofPartner.some(gives);
    return new Set(isHeld ? tenant.offeredThings : []);
  }
  const held = assignmentsOf(tenant, user.id).filter(([, { roleId, ended }]) => !ended && gives(roleId));
  return new Set(held.map(([, { thing }]) => thing));
}

const isForPartners = (scope: string): boolean =>
  ['iam:tenant:read', 'iam:member:read'].includes(scope) || !/^(?:access|iam|platform|webhooks):/.test(scope);

/** Returns whether the caller holds the scope in the selected tenant, by their roles and client. */
export function holds(caller: Caller, scope: string): boolean {
  const { user, tenant, key } = caller;
  const isAccount = key?.owner === 'service-account';
  const roleIds =
    (isAccount ? tenant?.serviceAccounts.get(user.id)?.roleIds : tenant?.members.get(user.id)) ?? [];
  const ofPartner =
    roleIds.length === 0 && !isAccount && tenant ? rolesOfPartner(tenant, user.id) : undefined;
  if (ofPartner)
    return (
      mayClient(caller, scope) &&
      isForPartners(scope) &&
      tenant?.offeredThings === null &&
      ofPartner.some((id) => tenant?.roles.get(id)?.scopes.includes(scope))
    );
  return mayClient(caller, scope) && roleIds.some((id) => tenant?.roles.get(id)?.scopes.includes(scope));
}

/**
 * First-party scopes: those of operators, to end sessions, to unlink identities, to rotate secrets
 * of webhooks, to change connections and clients, to create keys and tokens of directories and
 * set-up links, and to trust workloads.
 */
const OF_THE_APP =
  /^(?:platform:|iam:(?:satellite:|api:|session:end$|identity:unlink$|(?:client|connection):(?!read$))|webhooks:(?:operator-webhook:|subscription:rotate$))|^iam:(?:api-key|directory-token|setup-link|trust-rule):create$|^iam:worker:reset-pin$/;

/** Returns whether no satellite may use the scope, nor register it. */
export function isOfTheApp(scope: string): boolean {
  return OF_THE_APP.test(scope);
}

/** Scopes that require a sign-in of the last ten minutes, by a second factor from who has one. */
export const SENSITIVE = [
  'iam:api-key:create',
  'iam:client:create',
  'iam:client:delete',
  'iam:client:rotate-secret',
  'iam:client:update',
  'iam:connection:activate',
  'iam:connection:confirm',
  'iam:connection:create',
  'iam:connection:delete',
  'iam:connection:update',
  'iam:directory-token:create',
  'iam:key-policy:update',
  'iam:trust-rule:create',
  'iam:identity:unlink',
  'iam:setup-link:create',
  'iam:sign-in-policy:update',
  'iam:support-access:grant',
  'iam:tenant:delete',
  'iam:tenant:set-audit-retention',
  'iam:tenant:transfer-ownership',
  'webhooks:operator-webhook:rotate',
  'webhooks:subscription:rotate',
];

/** Returns whether no key may use the scope of a tenant, whatever the roles. */
export function isForPeople(scope: string): boolean {
  return isOfTheApp(scope) || SENSITIVE.includes(scope);
}

/** Returns whether the caller's client or key may use the scope, for any user. */
export function mayClient({ client, key }: Caller, scope: string): boolean {
  if (key !== null) return !isForPeople(scope) && key.scopes?.includes(scope) !== false;
  if (client === null) return true;
  return !isOfTheApp(scope) && (client.scopes.includes('*') || client.scopes.includes(scope));
}

export function newSatellite(
  id: string,
  clientId: string,
  scopes: readonly string[] = [],
  disabled = false,
): Client {
  return { id, clientId, scopes, disabled };
}

function newKey(owner: Key['owner'], scopes: readonly string[] | null, acr: Acr | null = null): Key {
  const { id: lookup, plainKey } = createApiKey(owner === 'person' ? 'me' : 'sa');
  return { id: newId(), owner, lookup, plainKey, scopes, acr };
}

/** Returns connections in each state, one of which uses a domain. */
function connectionsOf(domainId: string): [id: string, Connection][] {
  return [true, false].flatMap((isTested) =>
    [true, false].map((isActive): [string, Connection] => [
      newId(),
      { isTested, isActive, domainId: isTested && isActive ? domainId : null },
    ]),
  );
}

const DAY_MS = 86_400_000;

function policyOf({ daysAgo, ...policy }: PolicyPlan): Policy {
  const since = policy.secondFactor === 'optional' ? null : Date.now() - daysAgo * DAY_MS;
  return { ...policy, since };
}

export function isOwner({ roles, members }: Tenant, userId: string): boolean {
  return (members.get(userId) ?? []).some((id) => roles.get(id)?.key === 'owner');
}

/** Returns whether the user is a member, and not a suspended one. */
function isActive({ members, suspended }: Tenant, userId: string): boolean {
  return members.has(userId) && !suspended.has(userId);
}

export function newRole(key: string, scopes: readonly string[], id = newId()): Role {
  return { id, key, builtIn: false, scopes };
}

function builtInRoles(registry: AbilityRegistry): Role[] {
  const declared = [...registry.all.values()].filter(({ audience }) => audience === 'tenant');
  return ['owner', 'admin', 'member'].map((key) => {
    const own = declared.filter(({ roles }) => key === 'owner' || roles.includes(key));
    return {
      ...newRole(
        key,
        own.map(({ scope }) => scope),
      ),
      builtIn: true,
    };
  });
}
