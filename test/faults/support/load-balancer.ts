import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, freePort } from '../../support/built-service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually } from '../../support/test-app.js';

/** Header of answers that the load balancer makes itself, because no replica answered. */
export const BY_PROXY = 'x-answered-by';

const FILE = 'ops/haproxy/haproxy.cfg';

/**
 * The configuration recommended in docs/replicas.md, with addresses of the test, without TLS, and
 * with a header on answers of the load balancer itself.
 */
function configuration(port: number, replicas: readonly URL[]): string {
  const servers = replicas.map(({ host }, n) => `  server replica${n} ${host}\n`).join('');
  return readFileSync(FILE, 'utf8')
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replaceAll('hdr Retry-After 1', `hdr Retry-After 1 hdr ${BY_PROXY} proxy`)
    .replace(/(^ {2}server .*\n)+/m, servers);
}

/** HAProxy before the replicas: checks their readiness, and forwards requests to the ready ones. */
export class LoadBalancer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async before(replicas: readonly string[]): Promise<LoadBalancer> {
    const folder = temporaryFolder('haproxy');
    const file = join(folder, 'haproxy.cfg');
    const port = await freePort();
    await writeFile(
      file,
      configuration(
        port,
        replicas.map((url) => new URL(url)),
      ),
    );
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    const open = () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually('the load balancer has found a replica', open, 15_000);
    return new LoadBalancer(url, child, folder);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await exitOf(this.child);
    await rm(this.folder, { recursive: true, force: true });
  }
}
