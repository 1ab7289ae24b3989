import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { BuiltService } from '../../support/built-service.js';
import { Person } from '../../support/organization.js';
import { queriesOf } from '../../support/plans.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, TestApp } from '../../support/test-app.js';

/** Packages that only clients of OpenID Connect need, or their signals (ADR 21). */
const OF_CLIENTS = ['jose', 'openid-client', 'undici'];
/** Tables of the OpenID module. */
const TABLE = /\b(?:oidc_\w+|logout_notices|signal_\w+|id_token_keys)\b/g;

/**
 * Code that notes each package of which the process loads a file, in a bundle as well, whose map
 * names the sources.
 */
const notesPackages = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    import { appendFileSync, existsSync, readFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    import { fileURLToPath } from 'node:url';
    const noted = new Set();
    const sourcesOf = (url) => {
      const map = url.startsWith('file:') ? fileURLToPath(url) + '.map' : '';
      return url.includes('/bundle/') && existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')).sources : [url];
    };
    registerHooks({ load(url, context, next) {
      for (const source of sourcesOf(url)) {
        const [name] = source.split('/node_modules/').at(-1).match(/^(?:@[^/]+\\/)?[^/]+/) ?? [];
        if (!source.includes('/node_modules/') || noted.has(name)) continue;
        noted.add(name);
        appendFileSync(${JSON.stringify(file)}, name + '\\n');
      }
      return next(url, context);
    } });`)}`;

/** Returns the tables of the OpenID module that a statement names, as one text. */
function tablesOf(sql: string): string[] {
  const tables = [...new Set(sql.includes('pg_stat') ? [] : sql.match(TABLE))];
  return tables.length > 0 ? [tables.join(', ')] : [];
}

/** Returns the statements that are sent during some work, those of background work among them. */
async function sqlOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await queriesOf(Client, work)).map(({ given: [query] }) =>
    typeof query === 'string' ? query : (query as { readonly text: string }).text,
  );
}

describe('A service without clients of OpenID Connect', () => {
  it('loads no package that only clients need, at the start and after requests', async () => {
    const file = join(temporaryFolder('packages'), 'loaded');
    const service = await BuiltService.start({ NODE_OPTIONS: `--import=${notesPackages(file)}` });
    try {
      const loaded = () => readFileSync(file, 'utf8').trim().split('\n');
      expect(loaded()).toContain('typeorm');
      const person = await Person.signUp(service);
      expect((await service.get('/api/v1/iam/me', person.token)).status).toBe(200);
      await service.get('/.well-known/openid-configuration');
      await service.get('/.well-known/jwks.json');
      await service.post('logout', undefined, { token: person.token });
      expect(loaded().filter((name) => OF_CLIENTS.includes(name))).toEqual([]);
      await fetch(`${service.url}/oauth2/logout?id_token_hint=x`, { redirect: 'manual' });
      expect(loaded()).toContain('jose');
    } finally {
      await service.stop();
    }
  });

  describe('asks the database', () => {
    let app: TestApp;
    let started: string[];
    beforeAll(async () => {
      started = await sqlOf(async () => {
        app = await TestApp.start();
        await eventually('retries were looked for', async () => {
          const read = `SELECT 1 FROM pg_stat_user_tables
            WHERE relname IN ('logout_notices', 'signal_streams') AND seq_scan + idx_scan > 0`;
          return (await app.sql(read)).length === 2;
        });
      });
    });
    afterAll(() => app.stop());

    it('at its start for keys, and then for what waits to be sent', () => {
      expect([...new Set(started.flatMap(tablesOf))].sort()).toEqual([
        'id_token_keys',
        'logout_notices',
        'signal_streams, signal_events',
      ]);
    });

    it('nothing for its own users, and at a logout who is told', async () => {
      let person!: Person;
      const ofRequests = async (work: () => Promise<unknown>) =>
        (await sqlOf(work)).filter((sql) => !started.includes(sql));
      const used = await ofRequests(async () => {
        person = await Person.signUp(app);
        await app.get('/api/v1/iam/me', person.token);
        await app.post('refresh', { refreshToken: person.refreshToken });
        await app.get('/.well-known/openid-configuration');
      });
      expect(used.length).toBeGreaterThan(5);
      expect(used.flatMap(tablesOf)).toEqual([]);
      const ended = await ofRequests(() => app.post('logout', undefined, { token: person.token }));
      expect(ended.flatMap(tablesOf).sort()).toEqual([
        'logout_notices',
        'signal_ended_sessions',
        'signal_streams',
      ]);
      for (const table of ['logout_notices', 'signal_events', 'id_token_keys'])
        expect([table, await app.sql(`SELECT 1 FROM ${table}`)]).toEqual([table, []]);
    });
  });
});
