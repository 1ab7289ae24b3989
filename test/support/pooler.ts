import { readFileSync } from 'node:fs';
import { freePort } from './built-service.js';
import { Program } from './program.js';

const FILE = 'ops/pgbouncer/pgbouncer.ini';

/**
 * The configuration recommended in docs/replicas.md, with addresses of the test, and few
 * connections to the server.
 */
function configuration(server: URL, port: number, timeouts: boolean): string {
  const changes: [RegExp, string][] = [
    [/^gatehouse = .*? connect_query/m, `* = host=${server.hostname} port=${server.port} connect_query`],
    [/^listen_addr = .*/m, 'listen_addr = 127.0.0.1\nunix_socket_dir ='],
    [/^listen_port = .*/m, `listen_port = ${port}`],
    [/^auth_file = .*/m, 'auth_file = users.txt'],
    [/^default_pool_size = .*/m, 'default_pool_size = 4'],
    ...(timeouts ? [] : [[/'SET .*'/, "'SET lock_timeout = 2000'"] as [RegExp, string]]),
  ];
  return changes.reduce((text, [from, to]) => text.replace(from, to), readFileSync(FILE, 'utf8'));
}

/** PgBouncer before the server of an address, in transaction mode, with few server connections. */
export class Pooler {
  private constructor(
    private readonly server: URL,
    readonly program: Program,
  ) {}

  /** @param timeouts whether it sets all recommended timeouts */
  static async before(databaseUrl: string, timeouts = true): Promise<Pooler> {
    const server = new URL(databaseUrl);
    const port = await freePort();
    const users = `"${server.username}" "${server.password}"\n`;
    const program = await Program.start('pgbouncer', {
      // PgBouncer refuses to run as root.
      args: [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), 'pgbouncer.ini'],
      port,
      files: { 'pgbouncer.ini': configuration(server, port, timeouts), 'users.txt': users },
    });
    return new Pooler(server, program);
  }

  /** Address of the database through the pooler. */
  get url(): string {
    const url = new URL(this.server);
    url.port = String(this.program.port);
    url.searchParams.delete('host'); // the socket of a test's PostgreSQL
    return url.href;
  }

  stop(): Promise<void> {
    return this.program.stop();
  }
}
