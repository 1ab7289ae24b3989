import fc from 'fast-check';

/** Initial state of a world: random, and shrunk to the smallest that still shows a disagreement. */
export interface WorldPlan {
  readonly tenants: readonly TenantPlan[];
  /** For each user, sessions besides the current one. */
  readonly sessions: readonly (readonly SessionState[])[];
  /** For each user, the age of their current session, in seconds. */
  readonly sessionAges: readonly number[];
  /** For each user, whether they have an authenticator app. */
  readonly enrolled: readonly boolean[];
  /** For each user without one, whether they have one that counts in the first tenant only. */
  readonly enrolledInFirst: readonly boolean[];
  /** For each user with one, whether an operator's reset of it waits. */
  readonly resets: readonly boolean[];
  /** For each external identity of each user, whether its provider is still configured. */
  readonly identities: readonly (readonly boolean[])[];
  /** For each user, their role as an operator; null for none. */
  readonly operators: readonly ('support' | 'admin' | null)[];
  /** For each user, whether the account is suspended, unless they founded a tenant or operate. */
  readonly suspended: readonly boolean[];
  readonly satellites: readonly SatellitePlan[];
}

interface SatellitePlan {
  readonly disabled: boolean;
  readonly scopes: readonly string[];
}

interface TenantPlan {
  readonly archived: boolean;
  /** Whether its deletion is scheduled, if it is archived. */
  readonly deletionScheduled: boolean;
  /** Whether connections of other organizations open it. */
  readonly otherConnections: boolean;
  readonly policy: PolicyPlan | null;
  /** The scopes of each role of its own. */
  readonly roles: readonly (readonly string[])[];
  /** For each user their roles by number, built-in roles first; null without a membership. */
  readonly members: readonly (readonly number[] | null)[];
  /** Whether the other tenant has accepted what this one offers it, and left it since. */
  readonly partnership: 'offered' | 'active' | 'over';
  /** For each user, their roles for the other tenant, if they are a member of it only. */
  readonly partners: readonly (readonly number[] | null)[];
  /** Whether it offers the roles on some things only. */
  readonly offersThings: boolean;
  /** Roles of members on single things. */
  readonly assignments: readonly AssignmentPlan[];
  /** For each user, whether their membership is suspended. */
  readonly suspended: readonly boolean[];
  readonly serviceAccounts: readonly {
    readonly disabled: boolean;
    readonly role: number;
    /** Scopes of its key; null for all of its roles. */
    readonly scopes: readonly string[] | null;
  }[];
  /** For each user, the scopes of their key; null for all that they hold, undefined for none. */
  readonly personalKeys: readonly (readonly string[] | null | undefined)[];
  readonly invitations: readonly {
    readonly state: InvitationState;
    readonly role: number;
    /** For an expired one: an open one keeps its role. */
    readonly roleIsDeleted: boolean;
  }[];
}

/** Role of a user on one thing of the tenant, if they are a member. */
interface AssignmentPlan {
  readonly user: number;
  readonly role: number;
  readonly collection: (typeof ASSIGNED_ON)[number];
  /** Which of its things. */
  readonly number: number;
  /** Whether it has ended. */
  readonly ended: boolean;
}

/** Collections on whose entities members have roles. */
export const ASSIGNED_ON = [
  ...(['members', 'members', 'roles', 'invitations', 'tenants', 'domains', 'connections'] as const),
  ...(['service-accounts', 'access-requests', 'partnerships', 'brandings'] as const),
] as const;

/** What a tenant asks of sign-ins. */
export interface PolicyPlan {
  readonly secondFactor: 'optional' | 'required' | 'phishing_resistant';
  readonly graceDays: number;
  /** Days since it asks for its second factor. */
  readonly daysAgo: number;
  readonly trustedDevices: boolean;
  readonly maxAuthAgeSeconds: number | null;
  readonly sessionMaxHours: number | null;
}

/** Second factor of a sign-in, and its age in seconds; a device stands in for one. */
export interface FactorPlan {
  readonly kind: 'totp' | 'passkey' | 'device';
  readonly ago: number;
}

/** One comparison, with the commands that follow. Numbers choose among what exists then. */
export interface Step {
  readonly user: number;
  /** Age of the sign-in, in seconds. */
  readonly signedInAgo: number;
  /** Null for a sign-in by one factor. */
  readonly factor: FactorPlan | null;
  /** Whose connection is all that stands behind the session; null for a proof of the user's own. */
  readonly assured: 'by the selected tenant' | 'by another tenant' | null;
  /** One of the user's tenants; null for none selected. */
  readonly tenant: number | null;
  /** One of the satellites that are not disabled, if there is one; null for the first-party app. */
  readonly client: number | null;
  /** One of the keys of the tenant, if it has one; null for the user. */
  readonly machine: number | null;
  readonly subject: SubjectPlan | null;
  /** Scopes to check besides those of the type of the subject. */
  readonly others: readonly string[];
  /** Malformed id for a path, which the permission check would not accept in a subject. */
  readonly nonsense: string;
  /** Determines the bodies and the order of commands. */
  readonly choice: number;
}

export interface SubjectPlan {
  /** `own`: the module that declares the collection. */
  readonly module: string;
  readonly collection: string;
  readonly place: Place;
  readonly number: number;
}

type Place = 'own' | 'foreign' | 'nonexistent' | 'own, in lower case';
export type SessionState = 'alive' | 'ended' | 'expired';
export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired';

const USERS = 4;
/** Scopes that are not declared. Roles may hold them: a removed module may have declared them. */
const UNDECLARED = ['orders:order:cancel', 'iam:tenant:explode', 'iam:members:read', 'constructor:a:b'];

/** Number of the built-in role of an admin. */
const ADMIN = 1;
/** Owner, admin, member, then the organization's own, of which the first is {@link PERSONNEL}. */
const ROLES = [0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4, 5];
/** Collections with the most states. */
const MANIFOLD = [
  ...(['members', 'members', 'members', 'roles', 'roles', 'sessions'] as const),
  ...(['invitations', 'invitations', 'invitations', 'service-accounts', 'service-accounts'] as const),
  'subscriptions' as const,
];

/** Collections of operators, whom few callers are; and few of these may reset factors. */
const OF_OPERATORS = [
  ...Array.from({ length: 6 }, () => 'people' as const),
  ...Array.from({ length: 2 }, () => 'satellites' as const),
  ...Array.from({ length: 2 }, () => 'operators' as const),
];

/** Scopes of a role in each organization that may change members and roles. Most hold more. */
const PERSONNEL = [
  'iam:member:update',
  'iam:member:remove',
  'iam:member:suspend',
  'iam:member:restore',
  'iam:role:update',
];

/** Ages of a sign-in on both sides of each maximum, and not close to it. */
const AGES = [0, 0, 300, 900, 86_400];

const number = fc.nat(11);
const ofEachUser = { minLength: USERS, maxLength: USERS };

/** Draws all scopes, or some of the declared and undeclared ones. */
function satelliteScopes(declared: readonly string[]): fc.Arbitrary<string[]> {
  return fc.oneof(fc.constant<string[]>(['*']), fc.subarray([...declared, ...UNDECLARED]));
}

/** @param declared every declared scope */
export function worldPlans(declared: readonly string[]): fc.Arbitrary<WorldPlan> {
  const tenant = fc.record({
    archived: fc.constantFrom(false, false, false, false, true),
    deletionScheduled: fc.boolean(),
    otherConnections: fc.boolean(),
    policy: fc.oneof(
      { arbitrary: fc.constant(null), weight: 4 },
      {
        arbitrary: fc.record({
          secondFactor: fc.constantFrom('optional', 'required', 'required', 'phishing_resistant'),
          graceDays: fc.constantFrom(0, 0, 3),
          daysAgo: fc.constantFrom(1, 10),
          trustedDevices: fc.boolean(),
          maxAuthAgeSeconds: fc.constantFrom(null, null, 600, 43_200),
          sessionMaxHours: fc.constantFrom(null, null, 1, 24),
        }),
        weight: 1,
      },
    ),
    roles: fc
      .array(fc.subarray([...declared, ...UNDECLARED]), { maxLength: 2 })
      .map((others) => [PERSONNEL, ...others]),
    members: fc.array(
      fc.option(fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 2 }), { freq: 4, nil: null }),
      ofEachUser,
    ),
    partnership: fc.constantFrom('active', 'active', 'active', 'offered', 'over'),
    partners: fc.array(
      fc.option(fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 3 }), { freq: 4, nil: null }),
      ofEachUser,
    ),
    offersThings: fc.constantFrom(true, false, false),
    assignments: fc.array(
      fc.record({
        user: fc.nat(USERS - 1),
        role: fc.constantFrom(1, 1, 2, 3, 4, 5),
        collection: fc.constantFrom(...ASSIGNED_ON),
        number,
        ended: fc.constantFrom(true, false, false, false),
      }),
      { maxLength: 6 },
    ),
    suspended: fc.array(fc.constantFrom(true, false, false), ofEachUser),
    serviceAccounts: fc.array(
      fc.record({
        disabled: fc.constantFrom(true, false, false),
        role: fc.constantFrom(1, 2, 3, 4, 5),
        scopes: fc.option(fc.subarray([...declared]), { freq: 2, nil: null }),
      }),
      { maxLength: 3 },
    ),
    personalKeys: fc.array(
      fc.option(fc.option(fc.subarray([...declared]), { freq: 2, nil: null }), { freq: 3, nil: undefined }),
      ofEachUser,
    ),
    invitations: fc.array(
      fc.record({
        state: fc.constantFrom('open', 'open', 'accepted', 'revoked', 'expired', 'expired'),
        role: fc.oneof(number, fc.constant(0), fc.constantFrom(4, 5)),
        roleIsDeleted: fc.constantFrom(true, false, false),
      }),
      { maxLength: 5 },
    ),
  });
  return fc.record({
    tenants: fc.array(tenant, { minLength: 2, maxLength: 2 }),
    identities: fc.array(fc.array(fc.constantFrom(true, true, false), { maxLength: 3 }), ofEachUser),
    operators: fc.array(fc.constantFrom(null, null, 'support', 'admin', 'admin'), ofEachUser),
    suspended: fc.array(fc.constantFrom(true, false, false, false), ofEachUser),
    satellites: fc.array(fc.record({ disabled: fc.boolean(), scopes: satelliteScopes(declared) }), {
      maxLength: 4,
    }),
    sessionAges: fc.array(fc.constantFrom(60, 60, 10_800), ofEachUser),
    enrolled: fc.array(fc.boolean(), ofEachUser),
    enrolledInFirst: fc.array(fc.boolean(), ofEachUser),
    resets: fc.array(fc.constantFrom(true, false, false, false), ofEachUser),
    sessions: fc.array(fc.array(fc.constantFrom('alive', 'ended', 'expired'), { maxLength: 3 }), ofEachUser),
  });
}

/** @param declared every declared scope; @param collections every collection of subjects */
export function walks(declared: readonly string[], collections: readonly string[]): fc.Arbitrary<Step[]> {
  const step = fc.record({
    user: fc.nat(USERS - 1),
    signedInAgo: fc.constantFrom(...AGES),
    factor: fc.option(
      fc.record({
        kind: fc.constantFrom('totp', 'passkey', 'device'),
        ago: fc.constantFrom(...AGES),
      }),
      { freq: 2, nil: null },
    ),
    assured: fc.constantFrom(
      ...([null, null, null, null, null] as const),
      'by the selected tenant' as const,
      'by another tenant' as const,
    ),
    tenant: fc.option(number, { freq: 9, nil: null }),
    client: fc.option(number, { freq: 2, nil: null }),
    // Most act themselves: with a key, operators can do little.
    machine: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: number }),
    subject: fc.option(
      fc.record({
        module: fc.constantFrom(...Array.from({ length: 14 }, () => 'own' as const), 'orders'),
        collection: fc.constantFrom(...collections, ...MANIFOLD, ...MANIFOLD, ...OF_OPERATORS, 'shipments'),
        place: fc.constantFrom<Place>(
          ...(['own', 'own', 'own', 'own', 'own', 'own', 'foreign', 'nonexistent'] as const),
          'own, in lower case',
        ),
        number,
      }),
      { freq: 9, nil: null },
    ),
    others: fc.subarray([...declared, ...UNDECLARED], { maxLength: 2 }),
    nonsense: fc.constantFrom('0', 'me', 'null', '../roles', "'; --", '%', '\u0000', 'é', '\ud83d\ude00'),
    choice: fc.nat(),
  });
  return fc.array(step, { minLength: 1, maxLength: 24, size: 'max' });
}

/**
 * Worlds whose first user owns an active organization without a policy, and operates as admin; the
 * second is an admin there.
 */
export function worldsOfAnAdmin(declared: readonly string[]): fc.Arbitrary<WorldPlan> {
  return worldPlans(declared).map((plan) => ({
    ...plan,
    tenants: plan.tenants.map((tenant) => ({
      ...tenant,
      archived: false,
      policy: null,
      members: tenant.members.with(1, [ADMIN]),
      suspended: tenant.suspended.with(1, false),
    })),
    suspended: plan.suspended.with(1, false),
    operators: ['admin', ...plan.operators.slice(1)],
  }));
}

/**
 * Steps of which most succeed in {@link worldsOfAnAdmin}: the owner, or sometimes the admin, acts
 * in our app, just signed in with a passkey, on what exists.
 * @param collections those to act on
 */
export function walksOfAnAdmin(collections: readonly string[]): fc.Arbitrary<Step[]> {
  const step = fc.record({
    user: fc.constantFrom(0, 0, 0, 1),
    signedInAgo: fc.constant(0),
    factor: fc.constant<FactorPlan>({ kind: 'passkey', ago: 0 }),
    assured: fc.constant(null),
    tenant: fc.constant(0),
    client: fc.constant(null),
    machine: fc.constant(null),
    subject: fc.record({
      module: fc.constant('own'),
      collection: fc.constantFrom(...collections),
      place: fc.constant<Place>('own'),
      number,
    }),
    others: fc.constant([]),
    nonsense: fc.constant('0'),
    choice: fc.nat(),
  });
  return fc.array(step, { minLength: 1, maxLength: 24, size: 'max' });
}
