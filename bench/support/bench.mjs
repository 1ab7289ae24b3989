import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { OwnProcess } from '../../scripts/own-process.mjs';
import { freePort, OwnService } from '../../scripts/own-service.mjs';
import { Load, send } from './load.mjs';
import { paired } from './pairs.mjs';
import { Pgbench } from './pgbench.mjs';
import { pinned, PLACE } from './place.mjs';
import { warm } from './warm.mjs';
import { logged, statementsDuring } from './statements.mjs';
import { ACCESS_TOKEN_TTL, Tokens } from './tokens.mjs';

const rootSecret = randomBytes(32).toString('base64');
/** Rate limits are checked on every request but never reached. */
const DEEP_BUCKETS = Object.fromEntries(
  ['READ', 'WRITE', 'LOGIN', 'REFRESH', 'RESET', 'HASH', 'STATION'].map((name) => [
    `RATE_${name}`,
    '1000000000',
  ]),
);

/** A smoke run has a cold service and may share its cores: many callers at once would get 503. */
const MAX_CONNECTIONS = { full: Infinity, quick: Infinity, smoke: 4 };

/** Starts and measures for the cases. {@link close} ends all that it has started. */
export class Bench {
  #open = [];
  #postgres;
  #size;
  #flags;

  /**
   * @param postgres server on which databases are created
   * @param size `full`; `quick` for a first look; `smoke` to check that the cases work
   * @param profiles folder for CPU profiles of the services; none without it
   */
  constructor(postgres, { size, profiles }) {
    this.#postgres = postgres;
    this.#size = size;
    this.#flags = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : [];
    this.rounds = this.of({ full: 5, quick: 3, smoke: 1 });
    this.seconds = this.of({ full: 3, quick: 2, smoke: 1 });
  }

  /** Selects one of three numbers by the size of the run. */
  of({ full, quick, smoke }) {
    return { full, quick, smoke }[this.#size];
  }

  /** Creates an empty database. */
  async database(name) {
    const client = await this.#connect(this.#postgres.url);
    await client.query(`CREATE DATABASE ${name}`);
    this.#open.push(() => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    const url = new URL(this.#postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Starts the built service on a new or given database. Returns its URL and a query function. */
  async service(settings = {}, { where = PLACE.service, databaseUrl } = {}) {
    const url = databaseUrl ?? (await this.database(`service_${randomBytes(4).toString('hex')}`));
    const own = await OwnService.start(
      {
        LOG_LEVEL: 'info',
        DATABASE_URL: url,
        ROOT_SECRET: rootSecret,
        ACCESS_TOKEN_TTL: String(ACCESS_TOKEN_TTL),
        ...DEEP_BUCKETS,
        ...settings,
      },
      { launched: ([node, ...words]) => pinned(where, [node, ...this.#flags, ...words]) },
    );
    this.#open.push(() => own.stop());
    const client = await this.#connect(url);
    const query = async (sql, parameters) => (await client.query(sql, parameters)).rows;
    const { base, pid } = own;
    return { base, pid, query, databaseUrl: url, rootSecret, stop: () => own.stop() };
  }

  tokensOf(service) {
    return Tokens.of(service);
  }

  /** Starts a server of `bench/peers` on a port and the service's cores. */
  async peer(name, env, path) {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const own = await OwnProcess.start(
      pinned(PLACE.service, [process.execPath, `bench/peers/${name}.mjs`]),
      { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
      base + path,
    );
    this.#open.push(() => own.stop());
    return { base, pid: own.pid };
  }

  async load(requests) {
    const load = await Load.of(requests, this.of(MAX_CONNECTIONS));
    this.#open.push(() => load.forget());
    return load;
  }

  /**
   * Records the statements of requests of a warm service.
   * @param requests creates the requests for a number and the tokens of the service
   */
  statementsOf(service, requests) {
    return logged(service, async () => {
      const recorded = await this.service({}, { databaseUrl: service.databaseUrl });
      const tokens = await this.tokensOf(recorded);
      const ask = async (turn) => {
        for (const request of await requests(tokens, turn)) await send(recorded, request);
      };
      await ask(0);
      const statements = await statementsDuring(this.#postgres.log, () => ask(1));
      await recorded.stop();
      return statements;
    });
  }

  /** Runs statements by pgbench on the service's database. */
  async pgbench({ databaseUrl }, statements, how) {
    const pgbench = await Pgbench.of(databaseUrl, statements, how);
    this.#open.push(() => pgbench.forget());
    return pgbench;
  }

  /** Applies a load to a server until it is warm. */
  async warm(put) {
    if (this.#size !== 'smoke') await warm(put);
  }

  paired(ours, theirs) {
    return paired(this.rounds, ours, theirs);
  }

  async close() {
    for (const end of this.#open.splice(0).reverse()) await end();
  }

  async #connect(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    client.on('error', () => undefined); // its database may be dropped first
    this.#open.push(() => client.end().catch(() => undefined));
    return client;
  }
}
