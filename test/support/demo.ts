import type { ChildProcess } from 'node:child_process';
import { exitOf, launch } from './built-service.js';
import { eventually } from './test-app.js';

/** A demonstration that a script starts and Ctrl-C ends, observed by its output. */
export class Demo {
  private constructor(
    private readonly child: ChildProcess,
    private readonly chunks: readonly string[],
  ) {}

  static async start(
    script: string,
    args: readonly string[] = [],
    environment: Record<string, string> = {},
  ): Promise<Demo> {
    const child = launch([script, ...args], environment);
    const chunks: string[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    const demo = new Demo(child, chunks);
    try {
      await eventually('the demo says what to do', () => demo.printed.includes('Ctrl-C'), 150_000);
    } catch (error) {
      child.kill('SIGINT');
      throw error;
    }
    return demo;
  }

  /** Output so far. */
  get printed(): string {
    return this.chunks.join('');
  }

  /** Returns the text after these words. */
  told(what: string): string {
    const [, value] = new RegExp(`${what} +(\\S+)`).exec(this.printed) ?? [];
    if (value === undefined) throw new Error(`The demo does not say: ${what}.`);
    return value;
  }

  /** Ends it as Ctrl-C does. @returns the exit code */
  interrupt(): Promise<number | null> {
    this.child.kill('SIGINT');
    return exitOf(this.child);
  }
}
