import type { ChildProcess } from 'node:child_process';
import { exitOf, launch } from './built-service.js';
import { eventually } from './test-app.js';

/** What `npm run demo:satellite` starts, known by what it prints. */
export class SatelliteDemo {
  private constructor(
    private readonly child: ChildProcess,
    private readonly printed: string,
  ) {}

  static async start(): Promise<SatelliteDemo> {
    const child = launch('scripts/demo-satellite-steps.mjs', [], {});
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    try {
      await eventually('the demo says what to do', () => printed.includes('Ctrl-C'), 60_000);
    } catch (error) {
      child.kill('SIGINT');
      throw error;
    }
    return new SatelliteDemo(child, printed);
  }

  get shop(): string {
    return this.told('The shop');
  }

  get helpCentre(): string {
    return this.told('The help centre');
  }

  get person(): { readonly email: string; readonly password: string } {
    return { email: this.told('Sign in as'), password: this.told('with password') };
  }

  /** As Ctrl-C does; answers the exit code. */
  interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return exitOf(this.child);
  }

  private told(what: string): string {
    const [, value] = new RegExp(`${what} +(\\S+)`).exec(this.printed) ?? [];
    if (value === undefined) throw new Error(`The demo does not say: ${what}.`);
    return value;
  }
}
