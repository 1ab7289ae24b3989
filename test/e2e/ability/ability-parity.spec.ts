import fc from 'fast-check';
import { Pool } from 'pg';
import { AbilityRegistry, AbilityService } from '../../../src/ability/index.js';
import { RouteManifest } from '../../../src/access/index.js';
import { DomainLookup } from '../../../src/connection/domains/domain-lookup.js';
import { Database } from '../../../src/platform/database/database.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import {
  FIRST_PARTY_CLIENT,
  type PersonPrincipal,
  type Principal,
  type TenantId,
  type UserId,
} from '../../../src/kernel/principal.js';
import { CredentialDirectory } from '../../../src/machine/keys/credential-directory.js';
import { AccessTokenService } from '../../../src/session/tokens/access-token.service.js';
import { LONG, roundsOf } from '../../support/long.js';
import { ASKED_ONLY, commandsOf } from '../../support/parity/commands.js';
import {
  CODES,
  OF_PEOPLE,
  OF_THE_CLIENT,
  OF_THE_KEY,
  ON_OTHER_THINGS,
} from '../../support/parity/expectation.js';
import { NOT_OWN, WEAK } from '../../support/parity/proof.js';
import type { Ground } from '../../support/parity/look.js';
import {
  walks,
  walksOfAnAdmin,
  worldPlans,
  worldsOfAnAdmin,
  type Step,
  type WorldPlan,
} from '../../support/parity/plan.js';
import { SCOPES, SENTENCES as STATES } from '../../support/parity/scopes.js';
import { clear, ISSUER, seed } from '../../support/parity/seed.js';
import { TENANT_REFUSALS } from '../../support/parity/sign-in.js';
import { ServiceLine } from '../../support/parity/service-line.js';
import { signUpOperator } from '../../support/satellite.js';
import { Tally } from '../../support/parity/tally.js';
import { walk } from '../../support/parity/walk.js';
import { newId, World, type Caller } from '../../support/parity/world.js';
import { TestApp } from '../../support/test-app.js';
import { formatMessage } from '../../../src/platform/messages/index.js';

/**
 * Number of commands that are compared with the permission check, each with another caller, scope,
 * subject or state. Other comparisons are not counted.
 */
const CASES = Number(process.env['PARITY_CASES'] ?? roundsOf({ short: 1_000, long: 10_000 }));
/** Maximum number of commands of the short form, which runs until every code has occurred. */
const MAX_CASES = Math.max(CASES, LONG ? 60_000 : 20_000);
/** Seed of the first walks. A failure prints the seed of its walks. */
const SEED = Number(process.env['PARITY_SEED'] ?? Date.now() % 2 ** 31);
/** Number of concurrent walks: while one waits for the database, another continues. */
const LANES = 6;
/** Limits the time to shrink a disagreement. On a busy machine, a walk takes over a minute. */
const ROUND = { numRuns: 5, plugins: [fc.unbiased(), fc.interruptAfterTimeLimit(240_000)] };
/** Maximum duration of a case, on a busy machine; on an idle one it takes a tenth of it. */
const MS_PER_CASE = 30;

/**
 * Codes that a command never returns: a route always requires a declared scope, of the type of
 * entity that its path names.
 */
const PROBED_ALONE = ['unknown_scope', 'subject_mismatch'];

/** Reasons that have to occur. */
const SENTENCES = [...STATES, ...Object.values(TENANT_REFUSALS), WEAK, NOT_OWN];

/** Results for callers of other kinds than members in the app that have to occur in a long run. */
const BY_OTHERS = [
  OF_THE_CLIENT,
  OF_PEOPLE,
  OF_THE_KEY,
  ...['allowed', 'scope_not_held', 'subject_not_found', 'state_forbids'].map(
    (code) => `by a satellite ${code}`,
  ),
  ...['allowed', 'scope_not_held', 'subject_not_found', 'state_forbids'].map(
    (code) => `by a machine ${code}`,
  ),
  ...['allowed', 'scope_not_held', 'subject_not_found', 'state_forbids'].map(
    (code) => `by a personal key ${code}`,
  ),
  ON_OTHER_THINGS,
  'by a member on things allowed',
  'by a member on things state_forbids',
  'by a partner allowed',
  'by a partner scope_not_held',
];

describe('The permission check', () => {
  let app: TestApp;
  let pool: Pool;
  let line: ServiceLine;
  let ground: Ground;
  beforeAll(async () => {
    // Runs every ten minutes and would remove the expired sessions of a world during a walk.
    jest.spyOn(CleanupService.prototype, 'run').mockResolvedValue();
    jest.spyOn(DomainLookup.prototype, 'check').mockResolvedValue({ verdict: 'found', others: [] });
    app = await TestApp.start({
      OPERATOR_REQUIRES_SECOND_FACTOR: 'off', // the worlds share a database: operator-factors.spec.ts
      EXTERNAL_OIDC_ISSUER: ISSUER,
      EXTERNAL_OIDC_CLIENT_ID: 'gatehouse',
      EXTERNAL_OIDC_CLIENT_SECRET: 'of-no-provider',
    });
    await signUpOperator(app); // so that no operator of a world is the last admin
    pool = new Pool({ connectionString: app.databaseUrl, max: LANES });
    line = new ServiceLine(app.url);
    ground = groundOf(app, line);
  });
  afterAll(async () => {
    line.close();
    await pool.end();
    await app.stop();
    jest.restoreAllMocks();
  });

  it('is compared with a command of each declared scope, and of no other', () => {
    const declared = [...ground.registry.all.keys()].toSorted();
    expect(Object.keys(SCOPES).toSorted()).toEqual(declared);
    const commanded = declared.filter((scope) => !(scope in ASKED_ONLY));
    expect([...new Set(ground.commands.map(({ scope }) => scope))].toSorted()).toEqual(commanded);
  });

  it(
    'returns for every scope, caller, subject and state what the command then returns',
    async () => {
      const began = Date.now();
      await walkAround();
      const seconds = (Date.now() - began) / 1_000;
      const { tally } = ground;
      const pace = `${seconds.toFixed(0)} s, ${(tally.of('command') / seconds).toFixed(0)} commands/s, PARITY_SEED=${SEED}`;
      process.stdout.write(`${tally.table(['allowed', ...CODES, ...BY_OTHERS, ...SENTENCES])}\n${pace}\n`);
      expect(neverSeen(tally)).toEqual([]);
    },
    120_000 + MAX_CASES * MS_PER_CASE,
  );

  /** Walks randomly through random worlds, until enough is compared or a comparison fails. */
  async function walkAround(): Promise<void> {
    const { registry, tally } = ground;
    const declared = [...registry.all.values()];
    const scopes = declared.map(({ scope }) => scope);
    const collections = new Set(declared.flatMap(({ own, judged }) => [own.name, judged.name]));
    const walked = (worlds: fc.Arbitrary<WorldPlan>, steps: fc.Arbitrary<Step[]>) =>
      fc.asyncProperty(worlds, steps, async (plan, taken) => {
        const world = new World(plan, registry);
        await seed(pool, (plainKey) => ground.hashOfKey(plainKey), world);
        await walk(ground, world, taken).finally(() => clear(pool, world));
      });
    const anywhere = walked(worldPlans(scopes), walks(scopes, [...collections]));
    // Random walks may miss a command or a reason: half of the last walks look for these.
    const aimed = () => {
      const isMissing = ({ scope }: { scope: string }) =>
        neverSeen(tally).some((what) => what.startsWith(`command ${scope} `));
      const missing = new Set(declared.filter(isMissing).map(({ own }) => own.name));
      // With the commands that make such a subject first, which are judged by the organization.
      const related = declared.filter(({ own }) => missing.has(own.name));
      const wanted = new Set(related.flatMap(({ own, judged }) => [own.name, judged.name]));
      const aims = wanted.size === 0 ? collections : wanted;
      return walked(worldsOfAnAdmin(scopes), walksOfAnAdmin([...aims]));
    };
    let round = 0;
    const disagreements: unknown[] = [];
    const lane = async (): Promise<void> => {
      while (disagreements.length === 0 && (tally.of('command') < CASES || goesOn(tally))) {
        const own = SEED + round++;
        const property = tally.of('command') >= CASES && round % 2 === 0 ? aimed() : anywhere;
        await fc
          .assert(property, { ...ROUND, seed: own })
          .catch((error: unknown) => disagreements.push(error));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (disagreements.length > 0) throw disagreements[0];
  }
});

function goesOn(tally: Tally): boolean {
  return tally.of('command') < MAX_CASES && neverSeen(tally).length > 0;
}

/** Permissions whose subjects these worlds do not have: the probe alone is compared. */
const NOT_COMMANDED: readonly string[] = [
  ...Object.keys(ASKED_ONLY),
  'platform:impersonation:start',
  'platform:impersonation:end',
  'platform:import:create',
  'platform:permission:read',
  'platform:permission:register',
  'platform:permission:remove',
];

/**
 * Permissions whose commands cannot succeed in these worlds: they need a worker, an enabled
 * subscription, a change of a connection that waits, a provider, a failed job, or the consent of
 * the organization to support, or would erase a user or export their data. Other specs have them
 * succeed: frontline-workers, webhooks, connection-authority, connection-tests, console,
 * impersonation, people and permission-modules.
 */
const NEVER_ALLOWED = [
  'iam:connection:confirm',
  'iam:connection:test',
  'iam:support-access:grant',
  'iam:support-access:end',
  ...['create', 'update', 'delete', 'suspend', 'reinstate', 'reset-pin', 'issue-badge', 'revoke-badge'].map(
    (action) => `iam:worker:${action}`,
  ),
  ...NOT_COMMANDED,
  'platform:job:retry',
  'platform:person:erase',
  'platform:person:export',
  'platform:person:keep',
  'platform:person:resend-mail',
  'webhooks:subscription:test',
  'webhooks:delivery:redeliver',
];

/**
 * Lists what has to occur and did not: each code, and in a long run each result for other callers,
 * each reason, and for each scope an allowed and a denied command. Some are rare: a partner is
 * allowed once in 4,000 commands.
 */
function neverSeen(tally: Tally): string[] {
  const scopes = Object.keys(SCOPES).flatMap((scope) => [
    ...(NEVER_ALLOWED.includes(scope) ? [] : [`${scope} allowed`]),
    ...(NOT_COMMANDED.includes(scope) ? [] : [`${scope} denied`]),
  ]);
  const commanded = [
    'allowed',
    ...CODES.filter((code) => !PROBED_ALONE.includes(code)),
    ...(LONG ? [...BY_OTHERS, ...SENTENCES, ...scopes] : []),
  ];
  return [
    ...commanded.map((what) => `command ${what}`),
    ...PROBED_ALONE.map((what) => `probe ${what}`),
  ].filter((what) => tally.of(what) === 0);
}

function groundOf({ app }: TestApp, line: ServiceLine): Ground {
  const find = <T>(type: new (...args: never[]) => T) => app.get<T>(type, { strict: false });
  const registry = find(AbilityRegistry);
  const abilities = find(AbilityService);
  const database = find(Database);
  const accessTokens = find(AccessTokenService);
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const principalOf = ({ user, tenant, client, signedInAgo, factor, assuredBy, key }: Caller): Principal => {
    if (key !== null)
      return {
        kind: 'machine',
        owner: key.owner,
        userId: user.id as UserId,
        clientId: key.owner === 'person' ? key.id : user.id,
        tenantId: tenant!.id as TenantId,
        credentialId: key.id,
        ...(key.acr !== null && { acr: key.acr }),
        scopes: key.scopes && new Set(key.scopes),
      };
    const strong = factor === null || factor.kind === 'device' ? null : factor;
    return {
      kind: 'person',
      userId: user.id,
      sessionId: user.session.id,
      grantId: newId(),
      clientId: client?.clientId ?? FIRST_PARTY_CLIENT,
      tenantId: tenant?.id ?? null,
      authTime: ago(Math.min(signedInAgo, strong?.ago ?? Infinity)),
      aal2Time: strong && ago(strong.ago),
      phrTime: strong?.kind === 'passkey' ? ago(strong.ago) : null,
      trustedDevice: factor?.kind === 'device',
      ...(tenant?.partners.has(user.id) && { via: tenant.partnershipId }),
      ...(assuredBy !== null && {
        // As a token: a token of another client names only its own organization.
        assuredBy: client === null || assuredBy === tenant?.id ? [assuredBy] : [],
        ownProofMissing: true,
      }),
    } as PersonPrincipal;
  };
  return {
    line,
    registry,
    commands: commandsOf(registry, find(RouteManifest)),
    tally: new Tally(),
    hashOfKey: (plainKey) => find(CredentialDirectory).hash(plainKey),
    tokenOf: (caller) =>
      caller.key?.plainKey ??
      accessTokens.sign({
        ...(principalOf(caller) as PersonPrincipal),
        amr: ['pwd'],
        scopes: [],
      }),
    decideLocked: async ({ caller, subject }, scopes) => {
      const checks = scopes.map((scope) => (subject ? { scope, subject } : { scope }));
      const decide = () => database.transaction(() => abilities.decide(principalOf(caller), checks, true));
      // All lanes lock the same operators, and may wait too long for each other.
      const decisions = await decide().catch(decide).catch(decide);
      return decisions.map((decision) =>
        decision.allowed
          ? { allowed: true }
          : { allowed: false, code: decision.code, reason: formatMessage(decision.reason, 'en') },
      );
    },
  };
}
