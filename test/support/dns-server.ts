import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { exitOf } from './built-service.js';
import { eventually } from './test-app.js';

/** Systems take no ports of this range for connections: one stays free between two starts. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_000];
/** Number of ports that are tried. */
const MAX_STARTS = 5;

/** A real DNS server, dnsmasq, on this machine. */
export class DnsServer {
  private constructor(
    readonly address: string,
    private process: ChildProcess,
  ) {}

  /**
   * @param options lines of its configuration, such as `txt-record=name,text`
   * @param ports to try, in order
   */
  static async start(options: readonly string[], ports = randomPorts()): Promise<DnsServer> {
    const failures: string[] = [];
    for (const port of ports) {
      const address = `127.0.0.1:${port}`;
      const started = await run(address, options).catch((error: Error) => error);
      if (!(started instanceof Error)) return new DnsServer(address, started);
      failures.push(started.message);
    }
    throw new Error(failures.join('\n'));
  }

  /** Replaces the records. */
  async restart(options: readonly string[]): Promise<void> {
    await this.stop();
    this.process = await run(this.address, options);
  }

  async stop(): Promise<void> {
    this.process.kill();
    await exitOf(this.process);
  }
}

function randomPorts(): number[] {
  return Array.from({ length: MAX_STARTS }, () => randomInt(FIRST_PORT, LAST_PORT));
}

/**
 * Runs dnsmasq until it answers with a record of this run alone, which another process at the
 * address has not.
 * @throws what it has said, where it exits, as when another process has the port for UDP or TCP
 */
async function run(address: string, options: readonly string[]): Promise<ChildProcess> {
  const [, port = ''] = address.split(':');
  const name = `${randomUUID()}.invalid`;
  const own = ['no-resolv', 'no-hosts', 'bind-interfaces', 'listen-address=127.0.0.1', `port=${port}`];
  const given = [...own, 'local=/#/', `txt-record=${name},ready`, ...options];
  const child = spawn(
    'dnsmasq',
    ['--keep-in-foreground', '--conf-file=/dev/null', '--pid-file', ...given.map((option) => `--${option}`)],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  let hasEnded = false;
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.on('close', () => (hasEnded = true));
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([address]);
  await eventually('the DNS server answers', async () => {
    if (hasEnded) throw new Error(`dnsmasq at ${address} ended with ${child.exitCode}: ${said.trim()}`);
    return resolver.resolveTxt(name).then(
      () => true,
      () => false,
    );
  });
  return child;
}
