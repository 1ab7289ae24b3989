import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { eventually } from './test-app.js';
import { Resolver } from 'node:dns/promises';

/** A real DNS server, dnsmasq, on this machine. */
export class DnsServer {
  private constructor(
    readonly address: string,
    private process: ChildProcess,
  ) {}

  /** @param options lines of its configuration, such as `txt-record=name,text` */
  static async start(options: readonly string[]): Promise<DnsServer> {
    const address = `127.0.0.1:${await freePort()}`;
    return new DnsServer(address, await run(address, options));
  }

  /** Replaces the records. */
  async restart(options: readonly string[]): Promise<void> {
    await this.stop();
    this.process = await run(this.address, options);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.kill();
    await exited;
  }
}

async function run(address: string, options: readonly string[]): Promise<ChildProcess> {
  const [, port = ''] = address.split(':');
  const own = ['no-resolv', 'no-hosts', 'bind-interfaces', 'listen-address=127.0.0.1', `port=${port}`];
  const given = [...own, 'local=/#/', ...options].map((option) => `--${option}`);
  const process = spawn(
    'dnsmasq',
    ['--keep-in-foreground', '--conf-file=/dev/null', '--pid-file', ...given],
    {
      stdio: 'ignore',
    },
  );
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([address]);
  await eventually('the DNS server answers', () =>
    resolver.resolveTxt('nothing.invalid').then(
      () => true,
      ({ code }: NodeJS.ErrnoException) => code === 'ENOTFOUND' || code === 'ENODATA',
    ),
  );
  return process;
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
