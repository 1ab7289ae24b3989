import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitOf, freePort } from '../../support/built-service.js';
import { eventually } from '../../support/test-app.js';

/** On what the load balancer answers itself, because no replica did. */
export const BY_PROXY = 'x-answered-by';

const problem = (status: number, title: string): string =>
  `http-error status ${status} content-type application/problem+json ` +
  `string '{"type":"/errors/unavailable","title":"${title}","status":${status}}' hdr Retry-After 1 hdr ${BY_PROXY} proxy`;

/** As docs/operating.md recommends it; nothing but a GET is ever sent twice. */
const configuration = (port: number, replicas: readonly URL[]): string => `
global
  maxconn 5000
defaults
  mode http
  option forwardfor
  option redispatch 1
  retries 2
  retry-on conn-failure empty-response
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  timeout http-keep-alive 15s
  ${problem(502, 'Bad gateway')}
  ${problem(503, 'Unavailable')}
  ${problem(504, 'Gateway timeout')}
frontend service
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  http-request disable-l7-retry unless METH_GET
  option httpchk GET /readyz
  timeout check 2s
  default-server check inter 500ms fall 2 rise 1 observe layer4 error-limit 1 on-error mark-down
${replicas.map(({ host }, n) => `  server replica${n} ${host}`).join('\n')}
`;

/** HAProxy before the replicas: asks each whether it is ready, and gives requests to those that are. */
export class LoadBalancer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  static async before(replicas: readonly string[]): Promise<LoadBalancer> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-haproxy-'));
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
