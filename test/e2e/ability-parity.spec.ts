import fc from 'fast-check';
import { Pool } from 'pg';
import { ulid } from 'ulid';
import { AbilityRegistry, AbilityService } from '../../src/ability/index.js';
import { RouteManifest } from '../../src/access/index.js';
import { Database } from '../../src/platform/database/index.js';
import type { Principal } from '../../src/platform/http/index.js';
import { AccessTokenService } from '../../src/session/access-token.service.js';
import { commandsOf } from '../support/parity/commands.js';
import { CODES } from '../support/parity/expectation.js';
import { walks, worldPlans } from '../support/parity/plan.js';
import { SENTENCES } from '../support/parity/scopes.js';
import { seed } from '../support/parity/seed.js';
import { ServiceLine } from '../support/parity/service-line.js';
import { Tally } from '../support/parity/tally.js';
import { Walk, type Ground } from '../support/parity/walk.js';
import { World, type Asker } from '../support/parity/world.js';
import { TestApp } from '../support/test-app.js';

const CASES = Number(process.env['PARITY_CASES'] ?? 10_000);
const SEED = Number(process.env['PARITY_SEED'] ?? Date.now() % 2 ** 31);
/** Walks at a time: while one waits for the database, another goes on. */
const LANES = 6;
const WALKS_PER_ROUND = 10;
/** On a busy machine; a case takes a tenth of it. */
const MS_PER_CASE = 30;

describe('The ability probe', () => {
  let app: TestApp;
  let pool: Pool;
  let line: ServiceLine;
  beforeAll(async () => {
    app = await TestApp.start();
    pool = new Pool({ connectionString: app.databaseUrl, max: LANES });
    line = new ServiceLine(app.url);
  });
  afterAll(async () => {
    line.close();
    await pool.end();
    await app.stop();
  });

  it(
    'says of every scope what the command then says, whoever asks, about whatever, in every state',
    async () => {
      const ground = groundOf(app, line);
      const { registry, tally, commands } = ground;
      const scopes = [...commands.keys()];
      const collections = [
        ...new Set([...registry.all.values()].flatMap(({ own, judged }) => [own.name, judged.name])),
      ];
      const property = fc.asyncProperty(
        worldPlans(scopes),
        walks(scopes, collections),
        async (plan, steps) => {
          const world = new World(plan, registry);
          await seed(pool, world);
          const walk = new Walk(ground, world);
          for (const step of steps) await walk.take(step);
        },
      );
      const began = Date.now();
      let round = 0;
      const disagreements: unknown[] = [];
      const lane = async (): Promise<void> => {
        while (tally.of('command') < CASES && disagreements.length === 0) {
          const parameters = { seed: SEED + round++, numRuns: WALKS_PER_ROUND };
          await fc.assert(property, parameters).catch((error: unknown) => disagreements.push(error));
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      if (disagreements.length > 0) throw disagreements[0];
      const seconds = (Date.now() - began) / 1_000;
      const said = ['allowed', ...CODES, ...SENTENCES];
      process.stdout.write(
        `${tally.table(said)}\n${seconds.toFixed(0)} s, ${(tally.of('command') / seconds).toFixed(0)} cases/s, PARITY_SEED=${SEED}\n`,
      );
      const missing = [
        ...said.filter((row) => tally.of(`command ${row}`) + tally.of(`probe ${row}`) === 0),
        ...scopes
          .flatMap((scope) => [`${scope} allowed`, `${scope} denied`])
          .filter((row) => tally.of(row) === 0),
      ];
      expect(missing).toEqual([]);
    },
    120_000 + CASES * MS_PER_CASE,
  );
});

function groundOf({ app }: TestApp, line: ServiceLine): Ground {
  const find = <T>(type: new (...args: never[]) => T) => app.get<T>(type, { strict: false });
  const registry = find(AbilityRegistry);
  const abilities = find(AbilityService);
  const database = find(Database);
  const accessTokens = find(AccessTokenService);
  const principalOf = ({ user, tenant }: Asker) =>
    ({
      userId: user.id,
      sessionId: user.session.id,
      grantId: ulid(),
      tenantId: tenant?.id ?? null,
    }) as Principal;
  return {
    line,
    registry,
    commands: commandsOf(registry, find(RouteManifest)),
    tally: new Tally(),
    tokenOf: (asker) =>
      accessTokens.sign({
        ...principalOf(asker),
        clientId: 'gatehouse',
        authTime: new Date(),
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
