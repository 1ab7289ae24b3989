import { connect } from 'node:net';
import { Client } from 'pg';
import { freePort } from '../../support/built-service.js';
import { DebianPostgres } from '../../support/debian-postgres.js';
import type { Namespace } from '../../support/namespace.js';
import { Program } from '../../support/program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually } from '../../support/test-app.js';
import type { FleetDatabase } from './fleet.js';

const DATABASE = 'gatehouse';
/** As ops/postgresql has it: a standby that lost its primary asks again at once, not after 5 s. */
const RETRY = 'wal_retrieve_retry_interval=500ms';
/** The two entries: one keeps the sessions of a server that it leaves, the other ends them. */
const ENTRIES = ['keeping', 'ending'] as const;
type Entry = (typeof ENTRIES)[number];

/**
 * Two servers of PostgreSQL in streaming replication, behind HAProxy, which leads new connections
 * to the server that the test chose. After a promotion the former primary goes on running.
 */
export class PostgresPair implements FleetDatabase {
  private primary: DebianPostgres;

  private constructor(
    public first: DebianPostgres,
    public second: DebianPostgres,
    private readonly entries: Program,
    private readonly ports: Readonly<Record<Entry, number>>,
    private readonly socket: string,
    private readonly synchronous: boolean,
  ) {
    this.primary = first;
  }

  /**
   * @param synchronous whether a commit waits for the standby
   * @param namespace network of the first server, which the test can cut
   */
  static async start(synchronous: boolean, namespace?: Namespace): Promise<PostgresPair> {
    const first = await DebianPostgres.startIn(namespace);
    await first.create(DATABASE);
    const second = await first.startStandby('standby', undefined, RETRY);
    const ports = { keeping: await freePort(), ending: await freePort() };
    const socket = `${temporaryFolder('entries')}/admin`;
    const entries = await Program.start('haproxy', {
      args: ['-db', '-f', 'haproxy.cfg'],
      port: ports.ending,
      files: { 'haproxy.cfg': configuration(ports, socket, `${first.host}:${first.port}`) },
    });
    const pair = new PostgresPair(first, second, entries, ports, socket, synchronous);
    await pair.replicate();
    return pair;
  }

  private async replicate(): Promise<void> {
    const receives = () => this.sql("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'");
    await eventually('the standby receives', async () => (await receives()).length === 1, 20_000);
    if (!this.synchronous) return;
    await this.sql("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await this.sql('SELECT pg_reload_conf()');
  }

  /** Address through the entry that keeps sessions. */
  get url(): string {
    return this.through('keeping');
  }

  /** Address of both servers, without HAProxy. */
  get severalHosts(): string {
    const hosts = [this.first, this.second].map(({ host, port }) => `${host}:${port}`).toSorted();
    return `postgres://gatehouse:no-secret@${hosts.join()}/${DATABASE}?target_session_attrs=read-write`;
  }

  through(entry: Entry): string {
    return `postgres://gatehouse:no-secret@127.0.0.1:${this.ports[entry]}/${DATABASE}`;
  }

  /** Leads new connections of these entries to a server. */
  async lead(to: DebianPostgres, ...entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      await this.order(`set server ${entry}/primary addr ${to.host} port ${to.port}`);
      if (entry === 'ending') await this.order(`shutdown sessions server ${entry}/primary`);
    }
  }

  /** Makes the second server the primary. The first one goes on running, and is not told. */
  async promote(): Promise<void> {
    await this.second.promote();
    this.primary = this.second;
  }

  /** Gives the promoted server a new standby, at the port of the first one, which has ended. */
  async rejoin(): Promise<void> {
    const { first, second } = this;
    await first.remove();
    this.first = second;
    this.second = await second.startStandby('standby', first.port, RETRY);
    await this.replicate();
  }

  /** Runs a statement at the primary. */
  async sql<T = Record<string, unknown>>(text: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.primary.url(DATABASE), application_name: 'faults' });
    client.on('error', () => undefined); // shows in the query
    await client.connect();
    try {
      return (await client.query(text, [...parameters])).rows as T[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    await this.entries.stop();
    for (const server of [this.first, this.second]) await server.stop().catch(() => undefined);
  }

  /** Gives HAProxy an order by its socket. */
  private order(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const client = connect(this.socket, () => client.write(`${text}\n`));
      client
        .on('error', reject)
        .on('close', () => resolve())
        .resume();
    });
  }
}

function configuration(ports: Readonly<Record<Entry, number>>, socket: string, to: string): string {
  const listens = ENTRIES.map(
    (entry) => `listen ${entry}
  bind 127.0.0.1:${ports[entry]}
  server primary ${to}
`,
  );
  return `global
  stats socket ${socket} level admin

defaults
  mode tcp
  # Else a connection to a server that has ended waits a second for the next attempt.
  retries 0
  timeout connect 1s
  timeout client 1h
  timeout server 1h

${listens.join('\n')}`;
}
