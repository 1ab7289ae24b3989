import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, launch } from './built-service.js';
import { temporaryFolder } from './temporary-folder.js';
import { eventually } from './test-app.js';

const OF_ROOT = process.getuid?.() === 0;
/** Other users get them in a namespace of users, in which they are root. */
const NAMESPACES = ['--mount', '--net', ...(OF_ROOT ? [] : ['--map-root-user'])];
/** Sets up the network and its resolver, and becomes its name server. */
const SET_UP = `
  folder=$1 addresses=$2; shift 2
  ip link set lo up
  for address in $addresses; do ip address add $address dev lo; done
  mount --bind $folder/resolv.conf /etc/resolv.conf
  mount --bind $folder/nsswitch.conf /etc/nsswitch.conf
  exec dnsmasq "$@"`;
const SERVER = '127.0.0.1';

/** Programs that it uses. */
export const NETWORK_PROGRAMS = ['dnsmasq', 'ip', 'mount', 'nsenter', 'unshare'];

/**
 * A network of the test alone, without a way out: its loopback has addresses of the Internet, and
 * the programs in it ask a name server whose answers the test changes. They reach the test by the
 * sockets of files.
 */
export class IsolatedNetwork {
  private reads = 0;
  private log = '';
  private readonly relays: ChildProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {
    server.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
  }

  /** Whether this machine lets the test make one. */
  static get possible(): boolean {
    try {
      execFileSync('unshare', [...NAMESPACES, 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  /**
   * @param addresses that lead to its loopback, besides those of each loopback
   * @param options of dnsmasq, such as `cname=alias,name`
   */
  static async start(
    addresses: readonly string[],
    options: readonly string[] = [],
  ): Promise<IsolatedNetwork> {
    const folder = temporaryFolder('network');
    const hosts = join(folder, 'hosts');
    await writeFile(hosts, '');
    await writeFile(join(folder, 'resolv.conf'), `nameserver ${SERVER}\n`);
    await writeFile(join(folder, 'nsswitch.conf'), 'hosts: dns\n');
    const given = [
      'no-daemon', // keeps its user
      'conf-file=/dev/null',
      'no-resolv',
      'no-hosts',
      'local=/#/',
      `listen-address=${SERVER}`,
      `addn-hosts=${hosts}`,
      'local-ttl=0',
      'log-queries',
      'log-facility=-',
      ...options,
    ].map((option) => `--${option}`);
    const setUp = ['sh', '-ec', SET_UP, 'sh', folder, addresses.join(' '), ...given];
    const network = new IsolatedNetwork(
      folder,
      spawn('unshare', [...NAMESPACES, ...setUp], { stdio: ['ignore', 'ignore', 'pipe'] }),
    );
    await network.readsRecords();
    return network;
  }

  /** Words before the name of a program that runs it in this network. */
  get within(): string[] {
    const namespaces = ['--mount', '--net', ...(OF_ROOT ? [] : ['--user', '--preserve-credentials'])];
    return ['nsenter', '--target', String(this.server.pid), ...namespaces, `--wd=${process.cwd()}`, '--'];
  }

  /** Replaces the records: addresses by name. */
  async resolve(records: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const lines = Object.entries(records).flatMap(([name, addresses]) =>
      addresses.map((address) => `${address} ${name}\n`),
    );
    await writeFile(join(this.folder, 'hosts'), lines.join(''));
    this.server.kill('SIGHUP');
    await this.readsRecords();
  }

  /** Number of questions for the addresses of a name, of IPv4. */
  questions(name: string): number {
    return this.log.split(`query[A] ${name} from`).length - 1;
  }

  /** Path of a socket for {@link relay}. */
  socket(name: string): string {
    return join(this.folder, name);
  }

  /** Relays connections in this network, from and to a path or `<address>:<port>`. */
  async relay(...places: readonly (readonly [from: string, to: string])[]): Promise<void> {
    const [program = '', ...words] = this.within;
    const relay = launch(
      [...words, process.execPath, 'test/support/relay.mjs', ...places.flat()],
      {},
      program,
    );
    this.relays.push(relay);
    let said = '';
    for (const stream of [relay.stdout, relay.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually('the connections are relayed', () => {
      if (relay.exitCode !== null) throw new Error(`The relay has ended: ${said}`);
      return said.includes('ready');
    });
  }

  async stop(): Promise<void> {
    for (const child of [...this.relays, this.server]) {
      child.kill();
      await exitOf(child);
    }
  }

  /** Waits until the name server has read the records once more. */
  private async readsRecords(): Promise<void> {
    await eventually('the name server has read the records', () => {
      if (this.server.exitCode !== null) throw new Error(`The name server has ended: ${this.log}`);
      return this.log.split(`read ${join(this.folder, 'hosts')} - `).length - 1 > this.reads;
    });
    this.reads += 1;
  }
}
