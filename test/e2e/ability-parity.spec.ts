import fc from 'fast-check';
import { Pool } from 'pg';
import { AbilityRegistry, AbilityService } from '../../src/ability/index.js';
import { RouteManifest } from '../../src/access/index.js';
import { Database } from '../../src/platform/database/database.js';
import { CleanupService } from '../../src/platform/cleanup/cleanup.service.js';
import { FIRST_PARTY_CLIENT, type Principal } from '../../src/kernel/principal.js';
import { AccessTokenService } from '../../src/session/tokens/access-token.service.js';
import { roundsOf } from '../support/long.js';
import { commandsOf } from '../support/parity/commands.js';
import { CODES, OF_THE_CLIENT } from '../support/parity/expectation.js';
import type { Ground } from '../support/parity/look.js';
import { walks, worldPlans } from '../support/parity/plan.js';
import { SCOPES, SENTENCES } from '../support/parity/scopes.js';
import { ISSUER, seed } from '../support/parity/seed.js';
import { ServiceLine } from '../support/parity/service-line.js';
import { Tally } from '../support/parity/tally.js';
import { walk } from '../support/parity/walk.js';
import { newId, World, type Asker } from '../support/parity/world.js';
import { TestApp } from '../support/test-app.js';

/** How often a real command is compared with the probe: each time another asker, scope, subject or state. What else is compared comes on top. */
const CASES = Number(process.env['PARITY_CASES'] ?? roundsOf({ short: 1_000, long: 10_000 }));
/** A short form goes on until every code, sentence and scope has occurred, but no longer than this. */
const MOST_CASES = Math.max(CASES, 10_000);
/** A failure prints the seed of its walks; set to that, they are walked first. */
const SEED = Number(process.env['PARITY_SEED'] ?? Date.now() % 2 ** 31);
/** Walks at a time: while one waits for the database, another goes on. */
const LANES = 6;
/** A disagreement is shrunk for so long and no longer. */
const ROUND = { numRuns: 5, plugins: [fc.unbiased(), fc.interruptAfterTimeLimit(60_000)] };
/** On a busy machine; elsewhere a case takes a tenth of it. */
const MS_PER_CASE = 30;

/** What no command can be told: a route always requires a declared scope, of the kind of thing that its path names. */
const PROBED_ALONE = ['unknown_scope', 'subject_mismatch'];

/** What a satellite is told in its visitor's name. */
const BY_SATELLITES = [
  OF_THE_CLIENT,
  ...['allowed', 'scope_not_held', 'subject_not_found', 'state_forbids'].map(
    (code) => `by a satellite ${code}`,
  ),
];

describe('The ability probe', () => {
  let app: TestApp;
  let pool: Pool;
  let line: ServiceLine;
  let ground: Ground;
  beforeAll(async () => {
    // It comes every ten minutes, and would take the expired sessions of a world away in the middle of a walk.
    jest.spyOn(CleanupService.prototype, 'run').mockResolvedValue();
    app = await TestApp.start({
      EXTERNAL_OIDC_ISSUER: ISSUER,
      EXTERNAL_OIDC_CLIENT_ID: 'gatehouse',
      EXTERNAL_OIDC_CLIENT_SECRET: 'of-nobody',
    });
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

  it('is compared with a command for every declared scope, and for no other', () => {
    const declared = [...ground.registry.all.keys()].toSorted();
    expect(Object.keys(SCOPES).toSorted()).toEqual(declared);
    expect([...new Set(ground.commands.map(({ scope }) => scope))].toSorted()).toEqual(declared);
  });

  it(
    'says of every scope what the command then says, whoever asks, about whatever, in every state',
    async () => {
      const began = Date.now();
      await walkAround();
      const seconds = (Date.now() - began) / 1_000;
      const { tally } = ground;
      const pace = `${seconds.toFixed(0)} s, ${(tally.of('command') / seconds).toFixed(0)} commands/s, PARITY_SEED=${SEED}`;
      process.stdout.write(
        `${tally.table(['allowed', ...CODES, ...BY_SATELLITES, ...SENTENCES])}\n${pace}\n`,
      );
      expect(neverSeen(tally)).toEqual([]);
    },
    120_000 + MOST_CASES * MS_PER_CASE,
  );

  /** Random walks through random worlds, until enough has been compared or something disagrees. */
  async function walkAround(): Promise<void> {
    const { registry, tally } = ground;
    const declared = [...registry.all.values()];
    const scopes = declared.map(({ scope }) => scope);
    const collections = new Set(declared.flatMap(({ own, judged }) => [own.name, judged.name]));
    const property = fc.asyncProperty(
      worldPlans(scopes),
      walks(scopes, [...collections]),
      async (plan, steps) => {
        const world = new World(plan, registry);
        await seed(pool, world);
        await walk(ground, world, steps);
      },
    );
    let round = 0;
    const disagreements: unknown[] = [];
    const lane = async (): Promise<void> => {
      while (disagreements.length === 0 && (tally.of('command') < CASES || goesOn(tally))) {
        await fc
          .assert(property, { ...ROUND, seed: SEED + round++ })
          .catch((error: unknown) => disagreements.push(error));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (disagreements.length > 0) throw disagreements[0];
  }
});

function goesOn(tally: Tally): boolean {
  return tally.of('command') < MOST_CASES && neverSeen(tally).length > 0;
}

/** What should have occurred and has not: each code and sentence, and for each scope a command that was allowed and one that was not. */
function neverSeen(tally: Tally): string[] {
  const scopes = Object.keys(SCOPES).flatMap((scope) => [`${scope} allowed`, `${scope} denied`]);
  const commanded = [
    'allowed',
    ...CODES.filter((code) => !PROBED_ALONE.includes(code)),
    ...BY_SATELLITES,
    ...SENTENCES,
    ...scopes,
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
  const principalOf = ({ user, tenant, client, signedInAgo }: Asker) =>
    ({
      userId: user.id,
      sessionId: user.session.id,
      grantId: newId(),
      clientId: client?.clientId ?? FIRST_PARTY_CLIENT,
      tenantId: tenant?.id ?? null,
      authTime: new Date(Date.now() - signedInAgo * 1_000),
    }) as Principal;
  return {
    line,
    registry,
    commands: commandsOf(registry, find(RouteManifest)),
    tally: new Tally(),
    tokenOf: (asker) =>
      accessTokens.sign({
        ...principalOf(asker),
        amr: ['pwd'],
        scopes: [],
      }),
    decideLocked: ({ asker, subject }, scopes) =>
      database.transaction(() =>
        abilities.decide(
          principalOf(asker),
          scopes.map((scope) => (subject ? { scope, subject } : { scope })),
          true,
        ),
      ),
  };
}
