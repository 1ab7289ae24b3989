import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, ServiceClient } from '../../support/test-app.js';
import { healthCheckOf, readServices, wordsOf, type Service } from './compose.js';
import { podman, startContainer, tryPodman } from './podman.js';

const NETWORK = { name: 'gatehouse', subnet: '10.89.77.0/24', gateway: '10.89.77.1' };
/** Fixed addresses and /etc/hosts in place of a name server. */
const ADDRESSES = {
  postgres: '10.89.77.10',
  redis: '10.89.77.11',
  mail: '10.89.77.12',
  proxy: '10.89.77.20',
  'gatehouse-1': '10.89.77.31',
  'gatehouse-2': '10.89.77.32',
};
type Name = keyof typeof ADDRESSES;
const REPLICAS = ['gatehouse-1', 'gatehouse-2'] as const;
export type ReplicaName = (typeof REPLICAS)[number];
const START_LIMIT_MS = 60_000;

/**
 * Runs the services of compose.yaml as containers, with two changes: two replicas of the service,
 * and HAProxy before them at its published port, with the configuration of docs/replicas.md.
 */
export class Stack extends ServiceClient {
  private readonly services = readServices({ ROOT_SECRET: randomBytes(32).toString('base64') });
  private readonly folder = temporaryFolder('stack');

  constructor() {
    super('http://localhost:3000', '', '');
  }

  async start(): Promise<void> {
    const { name, subnet, gateway } = NETWORK;
    await podman('network', 'create', '--disable-dns', '--subnet', subnet, '--gateway', gateway, name);
    const { gatehouse, ...others } = this.services;
    await Promise.all(Object.entries(others).map(([other, service]) => this.run(other as Name, service)));
    for (const other of Object.keys(gatehouse?.depends_on ?? {}))
      await eventually(`${other} is healthy`, () => this.isHealthy(other as Name), START_LIMIT_MS);
    await Promise.all(REPLICAS.map((replica) => this.startReplica(replica)));
    await this.run('proxy', {
      image: 'haproxy',
      ports: this.service('gatehouse').ports ?? [],
      volumes: [`${this.proxyConfiguration()}:/etc/haproxy/haproxy.cfg:ro`],
    });
    const answers = () =>
      fetch(`${this.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually('the proxy has found a replica', answers, START_LIMIT_MS);
  }

  async stop(): Promise<void> {
    await podman('rm', '--all', '--force', '--time', '0');
    await podman('volume', 'rm', '--all', '--force');
    await podman('network', 'rm', '--force', NETWORK.name);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts a replica, and waits until it is ready by itself. */
  async startReplica(name: ReplicaName): Promise<void> {
    const { ports: _, ...service } = this.service('gatehouse');
    const environment = { ...service.environment, TRUSTED_PROXIES: ADDRESSES.proxy };
    await this.run(name, { ...service, environment });
    const url = `http://${ADDRESSES[name]}:3000/readyz`;
    const ready = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await eventually(`${name} is ready`, ready, START_LIMIT_MS).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${(await tryPodman('logs', name)).stderr}`);
    });
  }

  /** Ends a replica as `docker compose stop` does, and removes it. @returns its exit code */
  async stopReplica(name: ReplicaName): Promise<number> {
    const grace = (this.service('gatehouse').stop_grace_period ?? '').replace(/s$/, '');
    await podman('stop', '--time', grace, name);
    const code = await podman('inspect', '--format', '{{.State.ExitCode}}', name);
    await podman('rm', name);
    return Number(code);
  }

  /** The mails to an address, as the mail catcher prints them. */
  override async mails(to: string, count = 1): Promise<string[]> {
    let mails: string[] = [];
    await eventually(`${count} mails to ${to} arrive`, async () => {
      const { stdout } = await tryPodman('logs', 'mail');
      mails = stdout
        .split('---------- MESSAGE FOLLOWS ----------\n')
        .filter((mail) => mail.toLowerCase().includes(`to: ${to}`));
      return mails.length >= count;
    });
    return mails;
  }

  private service(name: string): Service {
    const service = this.services[name];
    if (service === undefined) throw new Error(`compose.yaml has no service "${name}".`);
    return service;
  }

  private async run(name: Name, service: Service): Promise<void> {
    const hosts = Object.entries(ADDRESSES).flatMap(([host, ip]) => ['--add-host', `${host}:${ip}`]);
    // Refuses at once. The mailer reads the hosts only when no name server answers.
    const network = ['--network', NETWORK.name, '--ip', ADDRESSES[name], '--dns', '127.0.0.1'];
    await startContainer(['--name', name, ...network, ...hosts, ...wordsOf(service)]);
  }

  private async isHealthy(name: Name): Promise<boolean> {
    const words = healthCheckOf(this.service(name).healthcheck?.test ?? []);
    return (await tryPodman('exec', name, ...words)).code === 0;
  }

  private proxyConfiguration(): string {
    const file = join(this.folder, 'haproxy.cfg');
    const servers = REPLICAS.map((name) => `  server ${name} ${ADDRESSES[name]}:3000\n`).join('');
    const shipped = readFileSync('ops/haproxy/haproxy.cfg', 'utf8');
    writeFileSync(file, shipped.replace(/bind .*/, 'bind :3000').replace(/(^ {2}server .*\n)+/m, servers));
    return file;
  }
}
