import { spawn } from 'node:child_process';
import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually } from '../../support/test-app.js';

/** How the running server was started: what a restart in the same place needs. */
interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * A PostgreSQL of the test that crashes and restarts on request. Writes are durable (fsync is on).
 */
export class FaultPostgres {
  private invocation: Invocation | undefined;

  private constructor(
    private readonly dataDir: string,
    private readonly server: EmbeddedPostgres,
  ) {}

  /** @param given directory that the server's user can read, in place of a new temporary one */
  static async start(given?: string): Promise<FaultPostgres> {
    const dataDir = given ?? temporaryFolder('faults');
    await chmod(dataDir, 0o755);
    return new FaultPostgres(dataDir, await startEmbeddedPostgres({ dataDir, durable: true }));
  }

  /** URL of a database that is empty at first. */
  get url(): string {
    return this.server.url;
  }

  /** Creates a further, empty database and returns its URL. */
  async createDatabase(name: string): Promise<string> {
    await this.sql(`CREATE DATABASE ${name}`);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  async sql<T = Record<string, unknown>>(text: string, parameters: readonly unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.url, application_name: 'faults' });
    client.on('error', () => undefined); // shows in the query
    await client.connect();
    try {
      return (await client.query(text, [...parameters])).rows as T[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /**
   * Crashes the server as `pg_ctl stop -m immediate` does: closes no connection properly, and
   * recovers from the log at the next start.
   */
  async crash(): Promise<void> {
    const pid = await this.pid();
    await this.remember();
    process.kill(pid, 'SIGQUIT');
    await eventually('PostgreSQL has ended', async () => !(await runs(pid)), 30_000);
  }

  /** Starts the server after a crash, at the same address. Resolves when it accepts connections. */
  async revive(): Promise<void> {
    if (!this.invocation) throw new Error('PostgreSQL has not crashed.');
    const { program, args, ...options } = this.invocation;
    const server = spawn(program, args, { ...options, detached: true, stdio: 'ignore' });
    server.unref();
    const accepts = () =>
      this.sql('SELECT 1').then(
        () => true,
        () => false,
      );
    await eventually('PostgreSQL accepts connections', accepts, 60_000);
  }

  /**
   * Records how the server was started, for {@link revive} after an end that the test did not
   * cause.
   */
  async remember(): Promise<void> {
    this.invocation ??= await invocationOf(await this.pid(), this.cluster);
  }

  /** Whether the server has ended. */
  async isDown(): Promise<boolean> {
    const pid = await this.pid().catch(() => null);
    return pid === null || !(await runs(pid));
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.dataDir, { recursive: true, force: true }).catch(() => undefined); // a mount stays
  }

  private get cluster(): string {
    return join(this.dataDir, 'postgres');
  }

  private async pid(): Promise<number> {
    return Number((await readFile(join(this.cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  }
}

async function invocationOf(pid: number, cluster: string): Promise<Invocation> {
  const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(0, -1);
  const { uid, gid } = await stat(`${cluster}/`);
  return { program, args, cwd: cluster, uid, gid };
}

/** Counts a process that has ended but was not reaped yet (a zombie) as gone. */
async function runs(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return !/\) Z/.test(state);
}
