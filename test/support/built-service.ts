import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.js';
import { createDatabase, eventually, NO_LIMITS, QUIET, ServiceClient } from './test-app.js';

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const { config } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  config: { service: string; cli: string };
};
/** Arguments of `node` that run the service: options, and last the program. */
export const SERVICE = config.service.split(' ');
export const PROGRAM = SERVICE.at(-1) ?? '';
/** The operators' commands. */
export const CLI = config.cli;

/** Runs a script of the built service to its end. */
export async function runBuilt(
  script: string,
  args: readonly string[],
  environment: Record<string, string>,
  node?: string,
): Promise<Run> {
  const child = launch([script, ...args], environment, node);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { code: await exitOf(child), stdout, stderr };
}

/** The built service as a process, with everything that it writes to stdout and stderr. */
export class BuiltService extends ServiceClient {
  private constructor(
    readonly environment: Record<string, string>,
    private readonly child: ChildProcess,
    private readonly chunks: readonly Buffer[],
  ) {
    super(
      `http://127.0.0.1:${environment['PORT']}`,
      environment['DATABASE_URL'] ?? '',
      environment['DATA_DIR'] ?? '',
    );
  }

  /**
   * @param within words before its program, such as those that run it in another network
   * @param program as for {@link launch}
   */
  static async start(
    overrides: Record<string, string> = {},
    within: readonly string[] = [],
    program?: string,
  ): Promise<BuiltService> {
    const service = await BuiltService.launch(overrides, program, within);
    try {
      await eventually('the service is ready', () => answers(`${service.url}/readyz`), 45_000);
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /**
   * Starts the service without waiting until it is ready.
   * @param program of another release, or not bundled, in place of the bundle
   * @param within as for {@link start}
   */
  static async launch(
    overrides: Record<string, string> = {},
    program?: string,
    within: readonly string[] = [],
  ): Promise<BuiltService> {
    const environment = {
      ...QUIET,
      ...NO_LIMITS,
      DATA_DIR: temporaryFolder('built'),
      PORT: String(await freePort()),
      DATABASE_URL: await createDatabase(),
      ROOT_SECRET: randomBytes(32).toString('base64'),
      ...overrides,
    };
    const words = program ? SERVICE.with(-1, program) : SERVICE;
    const [first = process.execPath, ...others] = [...within, process.execPath];
    const child = launch([...others, ...words], environment, first);
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    return new BuiltService(environment, child, chunks);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Exit code; null when a signal ended the process. */
  get ended(): Promise<number | null> {
    return exitOf(this.child);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Output so far. */
  get output(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }

  /** Folder of the mails when no mail server is set. */
  get mailFolder(): string {
    return join(this.dataDir, 'mail');
  }

  /** Ends the service. @returns its exit code */
  async stop(): Promise<number | null> {
    this.kill('SIGTERM');
    const code = await this.ended;
    await rm(this.dataDir, { recursive: true, force: true });
    return code;
  }
}

/** Whether the service answers with success at the URL. */
export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/**
 * Compile cache shared by all processes of the service that tests start: saves a third of the CPU
 * time of a start.
 */
const NODE_COMPILE_CACHE = join(tmpdir(), 'gatehouse-compile-cache');

/**
 * Runs a process with the given environment alone, without that of the tests.
 * @param node executable in place of that of the tests
 */
export function launch(
  words: readonly string[],
  environment: Record<string, string>,
  node = process.execPath,
): ChildProcess {
  const { PATH = '' } = process.env;
  return spawn(node, words, {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('close', resolve));
}

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
