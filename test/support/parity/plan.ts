import fc from 'fast-check';

/** What a world begins with: drawn at random, shrunk to the least that still shows a disagreement. */
export interface WorldPlan {
  readonly tenants: readonly TenantPlan[];
  /** For each user, further sessions beside the one that they work in. */
  readonly sessions: readonly (readonly SessionState[])[];
  /** For each user, of each identity that they have elsewhere, whether it opens the account today. */
  readonly identities: readonly (readonly boolean[])[];
  /** For each user, whether they run the platform. */
  readonly operators: readonly boolean[];
  readonly satellites: readonly SatellitePlan[];
}

interface SatellitePlan {
  readonly disabled: boolean;
  readonly scopes: readonly string[];
}

interface TenantPlan {
  readonly archived: boolean;
  /** The scopes of each role of its own. */
  readonly roles: readonly (readonly string[])[];
  /** For each user their roles by number, built-in roles first; null for who is no member. */
  readonly members: readonly (readonly number[] | null)[];
  readonly invitations: readonly { readonly state: InvitationState; readonly role: number }[];
}

/** One look at a world, and what is then done there. Numbers choose among what there is at that moment. */
export interface Step {
  readonly user: number;
  /** How long ago they signed in, in seconds. */
  readonly signedInAgo: number;
  /** One of the user's tenants; null for none selected. */
  readonly tenant: number | null;
  /** One of the satellites that are not disabled, if there is one; null for our own app. */
  readonly client: number | null;
  readonly subject: SubjectPlan | null;
  /** Scopes that are asked for beside those about such a subject. */
  readonly others: readonly string[];
  /** What a path may hold in place of an id, beyond what the probe would take for a subject. */
  readonly nonsense: string;
  /** Decides about bodies and the order of commands. */
  readonly choice: number;
}

export interface SubjectPlan {
  readonly module: string;
  readonly collection: string;
  readonly place: Place;
  readonly number: number;
}

type Place = 'here' | 'elsewhere' | 'nowhere' | 'here, in lower case';
export type SessionState = 'alive' | 'ended' | 'expired';
export type InvitationState = 'open' | 'accepted' | 'revoked' | 'expired';

const USERS = 4;
/** Nobody declares them; roles may hold them all the same, from a time when somebody did. */
const UNDECLARED = ['orders:order:cancel', 'iam:tenant:explode', 'iam:members:read', 'constructor:a:b'];

/** Owner, admin, member, then those of its own, of which the first is {@link PERSONNEL}. */
const ROLES = [0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4, 5];
/** Collections with the most states. */
const MANIFOLD = ['members', 'members', 'members', 'roles', 'roles', 'invitations', 'sessions'];

/** Scopes of a role in each organization that may change members, most of whom hold more. */
const PERSONNEL = ['iam:member:update', 'iam:member:remove'];

const number = fc.nat(11);
const ofEachUser = { minLength: USERS, maxLength: USERS };

/** All, many or a few; those that nobody declares are left from a time when somebody did. */
function satelliteScopes(declared: readonly string[]): fc.Arbitrary<string[]> {
  return fc.oneof(fc.constant<string[]>(['*']), fc.subarray([...declared, ...UNDECLARED]));
}

/** @param declared every declared scope */
export function worldPlans(declared: readonly string[]): fc.Arbitrary<WorldPlan> {
  const tenant = fc.record({
    archived: fc.constantFrom(false, false, false, false, true),
    roles: fc
      .array(fc.subarray([...declared, ...UNDECLARED]), { maxLength: 2 })
      .map((others) => [PERSONNEL, ...others]),
    members: fc.array(
      fc.option(fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 2 }), { freq: 4, nil: null }),
      ofEachUser,
    ),
    invitations: fc.array(
      fc.record({
        state: fc.constantFrom('open', 'open', 'accepted', 'revoked', 'expired', 'expired'),
        role: number,
      }),
      { maxLength: 5 },
    ),
  });
  return fc.record({
    tenants: fc.array(tenant, { minLength: 2, maxLength: 2 }),
    identities: fc.array(fc.array(fc.constantFrom(true, true, false), { maxLength: 3 }), ofEachUser),
    operators: fc.array(fc.constantFrom(true, false, false), ofEachUser),
    satellites: fc.array(fc.record({ disabled: fc.boolean(), scopes: satelliteScopes(declared) }), {
      maxLength: 4,
    }),
    sessions: fc.array(fc.array(fc.constantFrom('alive', 'ended', 'expired'), { maxLength: 3 }), ofEachUser),
  });
}

/** @param declared every declared scope; @param collections every collection of subjects */
export function walks(declared: readonly string[], collections: readonly string[]): fc.Arbitrary<Step[]> {
  const step = fc.record({
    user: fc.nat(USERS - 1),
    // On both sides of every age that a scope may ask for, and well away from it.
    signedInAgo: fc.constantFrom(0, 0, 300, 900, 86_400),
    tenant: fc.option(number, { freq: 9, nil: null }),
    client: fc.option(number, { freq: 2, nil: null }),
    subject: fc.option(
      fc.record({
        module: fc.constantFrom(...Array.from({ length: 14 }, () => 'iam'), 'orders'),
        collection: fc.constantFrom(...collections, ...MANIFOLD, ...MANIFOLD, 'shipments'),
        place: fc.constantFrom<Place>(
          ...(['here', 'here', 'here', 'here', 'here', 'here', 'elsewhere', 'nowhere'] as const),
          'here, in lower case',
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
