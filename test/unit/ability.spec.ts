import { ulid } from 'ulid';
import {
  type EntityPolicy,
  PolicyMark,
  type PolicyOptions,
  type ScopeRuleOptions,
} from '../../src/ability/ability-policy.decorator.js';
import { AbilityRegistry, NO_PARENTS } from '../../src/ability/ability.registry.js';
import type { Collection, DeclaredScope } from '../../src/ability/scope-declarations.js';
import { AbilityService } from '../../src/ability/ability.service.js';
import type { AbilityCheck } from '../../src/ability/subject.js';
import {
  denialError,
  deny,
  denyByAuthentication,
  denyByState,
  denyUnheld,
  forbid,
} from '../../src/ability/decision.js';
import type { AuthenticationNeed, OperatorRole } from '../../src/kernel/index.js';
import {
  AuthenticationCheck,
  OWN_PROOF,
  type OwnProofMethods,
} from '../../src/ability/authentication-check.js';
import type { CallerScopes } from '../../src/ability/scopes/caller-scopes.js';
import type { SignInCheck } from '../../src/ability/sign-in-check.js';
import { parseSubject } from '../../src/ability/subject.js';
import type { PersonPrincipal, Principal, TenantId } from '../../src/kernel/index.js';
import { AppError } from '../../src/platform/errors/index.js';

const CRATE = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const SHELF = '01ARZ3NDEKTSV4RRFFQ69G5FAW';
const HOUSE = '01ARZ3NDEKTSV4RRFFQ69G5FAX';
const LONG_AGO = new Date(Date.now() - 3_600_000);
const CLOSED = forbid('ability.tenant-required');
const FULL = forbid('ability.scope-not-held');
const TOO_WEAK = denyByAuthentication({ acr: 'aal2' }, forbid('ability.tenant-second-factor'));

/** What the service has read and locked. */
let asked: string[];
/** What the caller holds, and what stands in the way. */
let held: {
  client: boolean;
  tenant: boolean;
  operator: OperatorRole | null;
  /** Scopes to which the operator is restricted. */
  restricted: readonly string[] | null;
  closed: boolean;
  full: boolean;
  weak: boolean;
};
beforeEach(() => {
  asked = [];
  held = {
    client: true,
    tenant: true,
    operator: null,
    restricted: null,
    closed: false,
    full: false,
    weak: false,
  };
});

function collection(
  name: string,
  ids: readonly string[],
  more: Partial<EntityPolicy<unknown>> = {},
): Collection {
  const policy: EntityPolicy<unknown> = {
    load: (wanted, { lock, scopes }) => {
      asked.push(`load ${name} ${wanted.join()} ${lock ? 'locked ' : ''}for ${[...scopes].join()}`);
      return Promise.resolve(new Map(wanted.filter((id) => ids.includes(id)).map((id) => [id, { id }])));
    },
    ...more,
  };
  return { module: 'logistics', name, key: `logistics/${name}`, policy, parents: NO_PARENTS };
}
const crates = collection('crates', [CRATE], { lock: () => Promise.resolve(void asked.push('lock crates')) });
const shelves = collection('shelves', [SHELF, 'shelf 7'], { isId: (text) => text.startsWith('shelf') });
const houses = collection('houses', [HOUSE], { defaultSubject: () => HOUSE });
const scope = (action: string, changes: Partial<DeclaredScope> = {}): DeclaredScope => ({
  scope: `logistics:crate:${action}`,
  audience: 'tenant',
  texts: { title: 'Test', description: null, group: 'Test' },
  roles: [],
  impersonation: true,
  ownProof: 'always',
  operators: 'admin',
  platformAccounts: false,
  firstParty: false,
  peopleOnly: false,
  allowedWhenArchived: false,
  anySignIn: false,
  need: null,
  own: crates,
  judged: crates,
  rule: (entity) => (held.full || entity === undefined ? FULL : true),
  ...changes,
});
const SCOPES = new Map(
  [
    scope('open'),
    scope('create', { judged: houses }),
    scope('label', { own: shelves, judged: shelves, rule: () => true }),
    scope('list', { allowedWhenArchived: true }),
    scope('leave', { allowedWhenArchived: true, anySignIn: true }),
    scope('burn', { need: { maxAge: 600 } }),
    scope('sell', { audience: 'operator', firstParty: true }),
    scope('count', { audience: 'operator', operators: 'support', firstParty: true }),
    scope('ship', { firstParty: true }),
    scope('own', { audience: 'everyone' }),
  ].map((each) => [each.scope, each]),
);
const caller = {
  kind: 'person',
  userId: 'user',
  tenantId: 'tenant',
  clientId: 'app',
  authTime: new Date(),
  aal2Time: null,
  phrTime: null,
  trustedDevice: false,
} as unknown as PersonPrincipal;

function service(): AbilityService {
  return new AbilityService(
    { find: (name: string) => SCOPES.get(name) } as AbilityRegistry,
    {
      getUsableScopes: (_: unknown, lock: boolean) => {
        if (lock) asked.push('lock client');
        return Promise.resolve(() => held.client);
      },
      findUserRoles: () => {
        asked.push('roles');
        return Promise.resolve(() => (held.tenant ? 'role' : undefined));
      },
      findOperatorRights: () => {
        asked.push('operators');
        const { operator: role, restricted } = held;
        return Promise.resolve(role && { role, scopes: restricted && new Set(restricted) });
      },
    } as unknown as CallerScopes,
    {
      findShortfall: ({ authTime }: PersonPrincipal, need: AuthenticationNeed, fresh: boolean) => {
        asked.push(fresh ? 'sign-in, fresh' : 'sign-in');
        return Promise.resolve(authTime > LONG_AGO ? null : need);
      },
      lacksSecondFactor: () => Promise.resolve(false),
      createRefusal: (_: PersonPrincipal, { maxAge }: AuthenticationNeed) => {
        return Promise.resolve(new AppError('insufficient-user-authentication', { members: { maxAge } }));
      },
    } as unknown as AuthenticationCheck,
    {
      findDenial: ({ kind, tenantId }: Principal) =>
        Promise.resolve(held.weak && kind === 'person' && tenantId !== null ? TOO_WEAK : null),
    } as unknown as SignInCheck,
    {
      assignments: {
        hasAssignments: () => Promise.resolve(false),
        findScopesOnAnything: () => Promise.resolve(new Set()),
        findThingsWith: () => Promise.resolve([]),
        findRoleOn: () => Promise.resolve(null),
      },
      members: {
        findConditions: (_: string, lock: boolean) => {
          asked.push(lock ? 'conditions, locked' : 'conditions');
          const signInPolicy = held.weak ? {} : null;
          return Promise.resolve({ closed: held.closed ? CLOSED : null, signInPolicy });
        },
      },
    } as never,
    { holdsLock: () => false, noteLock: () => undefined } as never,
  );
}
const check = (action: string, more: Partial<AbilityCheck> = {}): AbilityCheck => ({
  scope: `logistics:crate:${action}`,
  ...more,
});
const on = (name: string, id: string, module = 'logistics') => ({
  subject: { module, collection: name, id },
});
const codes = async (checks: AbilityCheck[], principal = caller, lock = false) =>
  (await service().decide(principal, checks, lock)).map((decision) =>
    decision.allowed ? 'allowed' : decision.code,
  );

describe('A decision', () => {
  it.each<[string, string, AbilityCheck, Partial<typeof held>?, Partial<PersonPrincipal>?]>([
    ['allowed', 'without a subject', check('list', on('crates', CRATE))],
    ['unknown_scope', 'for a scope that is not declared', check('steal'), { client: false }],
    ['tenant_required', 'without a tenant', check('open'), { client: false }, { tenantId: null }],
    ['allowed', 'without a tenant, for everyone', check('own', on('crates', CRATE)), {}, { tenantId: null }],
    ['scope_not_held', 'for a client without the scope', check('own'), { client: false }],
    ['scope_not_held', 'for a person without the scope', check('open'), { tenant: false }],
    ['scope_not_held', 'for a person who is no operator', check('sell', on('crates', CRATE))],
    ['allowed', 'for an admin', check('sell', on('crates', CRATE)), { operator: 'admin', tenant: false }],
    ['allowed', 'for an admin', check('count', on('crates', CRATE)), { operator: 'admin' }],
    ['allowed', 'for support', check('count', on('crates', CRATE)), { operator: 'support' }],
    ['scope_not_held', 'for support', check('sell', on('crates', CRATE)), { operator: 'support' }],
    [
      'allowed',
      'for an admin who is restricted to it',
      check('sell', on('crates', CRATE)),
      { operator: 'admin', restricted: ['logistics:crate:sell'] },
    ],
    [
      'scope_not_held',
      'for an admin who is restricted to something else',
      check('sell', on('crates', CRATE)),
      { operator: 'admin', restricted: ['logistics:crate:count'] },
    ],
    [
      'scope_not_held',
      'for support, whose role does not have what it is restricted to',
      check('sell', on('crates', CRATE)),
      { operator: 'support', restricted: ['logistics:crate:sell'] },
    ],
    ['subject_mismatch', 'for an entity of another collection', check('open', on('shelves', SHELF))],
    ['subject_mismatch', 'for an entity of another module', check('open', on('crates', CRATE, 'iam'))],
    ['subject_not_found', 'for an entity that does not exist', check('open', on('crates', ulid()))],
    ['subject_not_found', 'for a text that is no id', check('open', on('crates', 'no id'))],
    ['allowed', 'for an id of the spelling of its collection', check('label', on('shelves', 'shelf 7'))],
    ['subject_not_found', 'for an id of another spelling', check('label', on('shelves', SHELF))],
    ['state_forbids', 'in an archived tenant', check('open', on('crates', CRATE)), { closed: true }],
    ['allowed', 'that holds in an archived tenant', check('list', on('crates', CRATE)), { closed: true }],
    ['state_forbids', 'that the rule refuses', check('open', on('crates', CRATE)), { full: true }],
    ['allowed', 'by the default entity', check('create')],
    ['allowed', 'by the entity in which it is created', check('create', on('houses', HOUSE))],
    ['allowed', 'by its own entity and the default one', check('create', on('crates', CRATE))],
    ['subject_not_found', 'by an own entity that does not exist', check('create', on('crates', ulid()))],
    ['subject_not_found', 'for another tenant', check('open', { tenantId: 'another' })],
    [
      'subject_not_found',
      'in another tenant',
      check('open', { tenantId: 'another', ...on('crates', CRATE) }),
    ],
    [
      'subject_mismatch',
      'in another tenant, for an entity of another collection',
      check('open', { tenantId: 'another', ...on('x', CRATE) }),
    ],
    ['allowed', 'in the selected tenant', check('open', { tenantId: 'tenant', ...on('crates', CRATE) })],
    [
      'authentication_insufficient',
      'that the tenant refuses, for who holds nothing in it either',
      check('open', on('crates', ulid())),
      { weak: true, client: false, tenant: false },
    ],
    ['unknown_scope', 'that is not declared, in such a tenant', check('steal'), { weak: true }],
    ['allowed', 'to leave such a tenant', check('leave', on('crates', CRATE)), { weak: true }],
    ['allowed', 'after a recent sign-in', check('burn', on('crates', CRATE))],
    [
      'authentication_insufficient',
      'after a sign-in long ago',
      check('burn', on('crates', CRATE)),
      {},
      { authTime: LONG_AGO },
    ],
  ])('is %s %s', async (code, _, asking, holding = {}, principal = {}) => {
    Object.assign(held, holding);
    expect(await codes([asking], { ...caller, ...principal })).toEqual([code]);
  });

  it('of a machine is like that of a person, but for what needs a sign-in or the app', async () => {
    const machine = { ...caller, kind: 'machine' } as unknown as PersonPrincipal;
    held.operator = 'admin';
    const checks = ['open', 'burn', 'ship', 'sell'].map((action) => check(action));
    const decisions = await service().decide(machine, checks);
    expect(decisions.map((decision) => ('code' in decision ? decision.reason.id : 'allowed'))).toEqual([
      'allowed',
      'ability.people-only',
      'ability.people-only',
      'ability.people-only',
    ]);
    held.client = false;
    expect(await service().decide(machine, [check('open')])).toMatchObject([
      { code: 'scope_not_held', reason: { id: 'ability.key-without-scope' } },
    ]);
  });

  it('is one for each check, and loads each collection once', async () => {
    const other = ulid();
    const checks = [
      check('open', on('crates', CRATE)),
      check('steal'),
      check('open', on('crates', other)),
      check('create', on('crates', CRATE)),
    ];
    expect(await codes(checks)).toEqual(['allowed', 'unknown_scope', 'subject_not_found', 'allowed']);
    const scopes = 'logistics:crate:open,logistics:crate:steal,logistics:crate:create';
    expect(asked).toEqual([
      'conditions',
      'roles',
      `load crates ${CRATE},${other} for ${scopes}`,
      `load houses ${HOUSE} for ${scopes}`,
    ]);
  });

  it('reads no more than it needs', async () => {
    await codes([check('list')]);
    await codes([check('open')], { ...caller, tenantId: null } as PersonPrincipal);
    await codes([check('own')]);
    expect(asked).toEqual(['conditions', 'roles', 'roles', 'conditions']);
    asked = [];
    await codes([check('sell')], { ...caller, tenantId: null } as PersonPrincipal);
    expect(asked).toEqual(['operators']);
    asked = [];
    await codes([check('leave')]);
    expect(asked).toEqual(['roles']);
  });

  it('of a command takes the locks of each policy first, once', async () => {
    const checks = [check('open', on('crates', CRATE)), check('create'), check('steal'), check('label')];
    await codes(checks, caller, true);
    expect(asked.map((what) => what.split(` ${CRATE}`)[0])).toEqual([
      'lock crates',
      'conditions, locked',
      'lock client',
      'roles',
      'load crates',
      `load houses ${HOUSE} locked for logistics:crate:open,logistics:crate:create,logistics:crate:steal,logistics:crate:label`,
    ]);
  });

  it('is enforced by the error of the first denial', async () => {
    const require = (...checks: AbilityCheck[]) => service().require(caller, checks);
    await require(check('open', on('crates', CRATE)), check('list'));
    const old = { ...caller, authTime: LONG_AGO } as unknown as PersonPrincipal;
    await expect(
      require(check('list'), check('open', on('crates', ulid())), check('steal')),
    ).rejects.toMatchObject({ code: 'not-found', members: { code: 'subject_not_found' } });
    await expect(require(check('steal'))).rejects.toMatchObject({ code: 'forbidden' });
    const burn = check('burn', on('crates', CRATE));
    await expect(service().require(old, [check('list'), burn])).rejects.toMatchObject({
      code: 'insufficient-user-authentication',
      members: { maxAge: 600 },
    });
    held.weak = true;
    await expect(require(check('open', on('crates', CRATE)))).rejects.toMatchObject({
      code: 'insufficient-user-authentication',
    });
    held.weak = false;
    held.full = true;
    await expect(service().require(old, [burn])).rejects.toMatchObject({
      code: 'forbidden',
      members: { code: 'state_forbids' },
      reason: FULL,
    });
  });
});

describe('A declared scope', () => {
  const POLICY: PolicyOptions = {
    module: 'logistics',
    entity: 'crate',
    collection: 'crates',
    title: 'ability.unknown-scope',
  };
  /** The registry with one rule, found by its decorators. */
  const registryOf = (options: Partial<ScopeRuleOptions>, policy: PolicyOptions | null = POLICY) => {
    const mark = { action: 'open', title: 'ability.tenant-required', ...options };
    const provider = {};
    const policies = policy ? [{ mark: policy, provider }] : [];
    const classes = { find: (decorator: unknown) => (decorator === PolicyMark ? policies : []) };
    const methods = { find: () => [{ mark, provider, method: () => true }] };
    return new AbilityRegistry(methods as never, classes as never);
  };
  const declared = (options: Partial<ScopeRuleOptions>) => registryOf(options).find('logistics:crate:open');

  it('is that of a member, for every client, until the tenant is archived, unless it says otherwise', () => {
    expect(declared({})).toMatchObject({
      audience: 'tenant',
      roles: ['admin'],
      firstParty: false,
      allowedWhenArchived: false,
      anySignIn: false,
      need: null,
      texts: {
        title: { id: 'ability.tenant-required' },
        description: null,
        group: { id: 'ability.unknown-scope' },
      },
    });
    expect(
      declared({ roles: ['member'], firstParty: true, allowedWhenArchived: true, maxAge: 60 }),
    ).toMatchObject({
      roles: ['member'],
      firstParty: true,
      allowedWhenArchived: true,
      need: { maxAge: 60 },
    });
  });

  it('of other audiences does not depend on the tenant, and operators use our own app', () => {
    expect(declared({ audience: 'operator', firstParty: false })).toMatchObject({
      firstParty: true,
      allowedWhenArchived: true,
    });
    expect(declared({ audience: 'everyone' })).toMatchObject({
      firstParty: false,
      allowedWhenArchived: true,
      anySignIn: true,
    });
    expect(declared({ anySignIn: true })).toMatchObject({ allowedWhenArchived: false, anySignIn: true });
    expect(declared({ audience: 'everyone', allowedWhenArchived: false })?.allowedWhenArchived).toBe(false);
  });

  it('is refused on a class that is no policy', () => {
    const registry = registryOf({}, null);
    expect(() => registry.onApplicationBootstrap()).toThrow(
      'Object has @Scope rules but is no @AbilityPolicy.',
    );
  });
});

describe('A denial', () => {
  it('has a code and a reason, with the values of its text', () => {
    expect(forbid('ability.unknown-scope')).toEqual({ id: 'ability.unknown-scope' });
    expect(forbid('ability.unknown-scope', { limit: 7 })).toEqual({
      id: 'ability.unknown-scope',
      values: { limit: 7 },
    });
    expect(denyByState(FULL)).toEqual({ allowed: false, code: 'state_forbids', reason: FULL });
    expect(denyUnheld('by client')).toEqual({
      allowed: false,
      code: 'scope_not_held',
      reason: { id: 'ability.client-without-scope' },
    });
    expect(deny('scope_not_held')).toEqual({
      allowed: false,
      code: 'scope_not_held',
      reason: { id: 'ability.scope-not-held' },
    });
  });

  it('is an error: not found for an unknown subject, else forbidden', () => {
    expect(denialError(deny('subject_not_found'))).toMatchObject({ code: 'not-found' });
    expect(denialError(deny('scope_not_held'))).toMatchObject({
      code: 'forbidden',
      members: { code: 'scope_not_held' },
      reason: { id: 'ability.scope-not-held' },
    });
  });
});

describe('The URI of an entity', () => {
  it.each([
    ['gatehouse:///iam/tenants/', 'iam', 'tenants'],
    ['x-1+a.b:///logistics-2/big-crates/', 'logistics-2', 'big-crates'],
  ])('names it: %s', (start, module, name) => {
    expect(parseSubject(start + CRATE)).toEqual({ module, collection: name, id: CRATE });
    expect(parseSubject(start + CRATE.toLowerCase())).toEqual({
      module,
      collection: name,
      id: CRATE.toLowerCase(),
    });
  });

  it.each([
    '',
    CRATE,
    `gatehouse://iam/tenants/${CRATE}`,
    `gatehouse:///tenants/${CRATE}`,
    `gatehouse:///iam/tenants/${CRATE}0`,
    `gatehouse:///iam/tenants/${CRATE.slice(1)}`,
    `gatehouse:///iam/tenants/${'U'.repeat(26)}`,
    `gatehouse:///iam/tenants/${CRATE}?a`,
    `1:///iam/tenants/${CRATE}`,
    `see gatehouse:///iam/tenants/${CRATE}`,
  ])('is of another shape: %s', (uri) => {
    expect(parseSubject(uri)).toBeNull();
  });
});

describe('A sign-in', () => {
  const NOW = new Date();
  const checkWith = (own: OwnProofMethods) => {
    const methods = {
      find: () => Promise.resolve(own),
      hasSecondFactor: () => Promise.resolve(own.secondFactor),
    };
    return new AuthenticationCheck({ methods } as never, {} as never);
  };
  const onePassword = {
    methods: ['password'],
    own: ['password'],
    later: [],
    hasOwn: true,
    secondFactor: false,
  } as const;
  const factors = ['totp', 'recovery_code'] as const;
  const enrolled = {
    methods: ['password', ...factors],
    own: factors,
    later: [],
    hasOwn: true,
    secondFactor: true,
  } as const;
  const withPasskey = {
    methods: ['passkey'],
    later: [],
    own: ['passkey'],
    hasOwn: true,
    secondFactor: true,
  } as const;
  const old = { ...caller, authTime: LONG_AGO };
  const strong = { ...caller, aal2Time: NOW };
  const stale = { ...caller, aal2Time: LONG_AGO };
  const byPasskey = { ...strong, phrTime: NOW };
  const [here, other] = ['here', 'other'] as TenantId[];
  const byOther = { ...strong, tenantId: here!, ownProofMissing: true, assuredBy: [other!] };
  const byOwn = { ...byOther, aal2Time: null, assuredBy: [here!] };
  const ENROLLED = { maxAge: 600, acr: 'aal2-if-enrolled' } as const;

  it.each<[string, PersonPrincipal, AuthenticationNeed, OwnProofMethods, boolean]>([
    ['recent enough', caller, { maxAge: 600 }, onePassword, true],
    ['too old', old, { maxAge: 600 }, onePassword, false],
    ['old, where the age does not matter', old, {}, onePassword, true],
    ['too weak', caller, { acr: 'aal2' }, enrolled, false],
    ['strong enough', strong, { acr: 'aal2' }, enrolled, true],
    ['strong, but not phishing resistant', strong, { acr: 'phr' }, enrolled, false],
    ['phishing resistant', byPasskey, { acr: 'phr', maxAge: 600 }, withPasskey, true],
    ['recent by a password, strong by an old factor', stale, { acr: 'aal2', maxAge: 600 }, enrolled, false],
    ['strong by an old factor, where the age does not matter', stale, { acr: 'aal2' }, enrolled, true],
    ['recent, of a person without a second factor', caller, ENROLLED, onePassword, true],
    ['recent, of a person with a second factor', caller, ENROLLED, enrolled, false],
    ['recent and strong, of a person with a second factor', strong, ENROLLED, enrolled, true],
    ['old, of a person without a second factor', old, ENROLLED, onePassword, false],
  ])('is %s', async (_, principal, need, own, met) => {
    expect(await checkWith(own).findShortfall(principal, need, false)).toBe(met ? null : need);
  });

  it.each<[string, PersonPrincipal, AuthenticationNeed, OwnProofMethods, unknown]>([
    ['two factors', byOther, { acr: 'aal2' }, onePassword, OWN_PROOF],
    ['a passkey', byOther, { acr: 'phr' }, enrolled, OWN_PROOF],
    ['two factors of who has a factor', byOther, ENROLLED, enrolled, OWN_PROOF],
    [
      'two factors of who has one, after a while',
      { ...byOther, authTime: LONG_AGO },
      ENROLLED,
      enrolled,
      OWN_PROOF,
    ],
    ['nothing of who has no factor', byOther, ENROLLED, onePassword, null],
    ['a recent sign-in', { ...byOther, authTime: LONG_AGO }, { maxAge: 600 }, enrolled, { maxAge: 600 }],
    ['two factors where its connection vouches', byOwn, { acr: 'aal2' }, enrolled, { acr: 'aal2' }],
  ])(
    'by the connection of another organization lacks something of the person’s own for %s',
    async (...given) => {
      const [, principal, need, own, lacking] = given;
      expect(await checkWith(own).findShortfall(principal, need, false)).toEqual(lacking);
    },
  );

  it.each<[string, PersonPrincipal, 'on' | 'auto' | 'off', boolean, boolean]>([
    ['with two factors', strong, 'on', true, false],
    ['with one, where two are required', caller, 'on', false, true],
    ['with one, after another operator has enrolled', caller, 'auto', true, true],
    ['with one, before any operator has enrolled', caller, 'auto', false, false],
    ['with one, where none is required', caller, 'off', true, false],
  ])('judges an operator %s', async (_, operator, required, isEnrolled, isLacking) => {
    const hasEnrolledOperator = () => Promise.resolve(isEnrolled);
    const settings = { OPERATOR_REQUIRES_SECOND_FACTOR: required };
    const check = new AuthenticationCheck({ methods: { hasEnrolledOperator } } as never, settings as never);
    expect(await check.lacksSecondFactor(operator)).toBe(isLacking);
  });

  it('is judged by the cache for a permission check, and by the database for a command', async () => {
    const hasSecondFactor = jest.fn(() => Promise.resolve(false));
    const check = new AuthenticationCheck({ methods: { hasSecondFactor } } as never, {} as never);
    await check.findShortfall(caller, ENROLLED, false);
    await check.findShortfall(caller, ENROLLED, true);
    await check.require(caller, ENROLLED);
    expect(hasSecondFactor.mock.calls).toEqual([
      [caller, false],
      [caller, true],
      [caller, true],
    ]);
  });

  it.each<[string, PersonPrincipal, AuthenticationNeed, OwnProofMethods, object, string]>([
    [
      'too old',
      old,
      { maxAge: 600 },
      onePassword,
      { acr: 'aal1', maxAge: 600, methods: ['password'] },
      'max_age="600"',
    ],
    [
      'too weak, which a password does not change',
      caller,
      ENROLLED,
      enrolled,
      { acr: 'aal2', maxAge: 600, methods: ['totp', 'recovery_code'] },
      'acr_values="aal2", max_age="600"',
    ],
    [
      'too weak, of a person who has to enrol first',
      caller,
      { acr: 'aal2' },
      onePassword,
      { acr: 'aal2', methods: [], enrol: true },
      'acr_values="aal2"',
    ],
    [
      'not phishing resistant, which a code does not change',
      strong,
      { acr: 'phr' },
      enrolled,
      { acr: 'phr', methods: [], enrol: true },
      'acr_values="phr"',
    ],
  ])('is refused as %s', async (_, principal, need, own, members, challenge) => {
    const refusal = checkWith(own).require(principal, need);
    await expect(refusal).rejects.toMatchObject({ code: 'insufficient-user-authentication' });
    const error = (await refusal.catch((thrown: unknown) => thrown)) as AppError;
    expect(error.members).toEqual({ code: 'authentication_insufficient', ...members });
    expect(error.challenge).toBe(`error="insufficient_user_authentication", ${challenge}`);
  });
});
