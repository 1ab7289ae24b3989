import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { exitOf } from './built-service.js';
import { temporaryFolder } from './temporary-folder.js';
import { eventually } from './test-app.js';

interface ProgramOptions {
  readonly args: readonly string[];
  /** Address on which it listens once it is ready. */
  readonly port: number;
  /** Files by name, written into its folder before it starts. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A server program of the machine, as a process with a separate folder. */
export class Program {
  private constructor(
    private readonly command: string,
    private readonly options: ProgramOptions,
    private readonly folder: string,
    private child: ChildProcess,
  ) {}

  static async start(command: string, options: ProgramOptions): Promise<Program> {
    const folder = temporaryFolder(command);
    await chmod(folder, 0o755); // some programs give up root
    for (const [name, text] of Object.entries(options.files ?? {})) await writeFile(join(folder, name), text);
    const program = new Program(command, options, folder, run(command, options, folder));
    await program.ready();
    return program;
  }

  get port(): number {
    return this.options.port;
  }

  /** Stops the process (SIGSTOP): it keeps its connections and no longer answers. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Kills the process (SIGKILL). */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await exitOf(this.child);
  }

  /** Starts it again after it was killed, with the files of its folder. */
  async restart(): Promise<void> {
    this.child = run(this.command, this.options, this.folder);
    await this.ready();
  }

  async stop(): Promise<void> {
    this.resume();
    this.child.kill('SIGTERM');
    await exitOf(this.child);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async ready(): Promise<void> {
    const { child, command } = this;
    let said = '';
    const append = (chunk: Buffer): void => void (said += chunk.toString());
    child.stdout?.on('data', append);
    child.stderr?.on('data', append);
    await eventually(`${command} is ready`, async () => {
      if (child.exitCode !== null)
        throw new Error(`${command} ended with ${child.exitCode}:\n${said.slice(-2_000)}`);
      return accepts(this.port);
    });
  }
}

function run(command: string, { args, env }: ProgramOptions, cwd: string): ChildProcess {
  const { PATH = '' } = process.env;
  return spawn(command, args, { cwd, env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
