import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Program that {@link Namespace} needs; it also needs root. */
export const NAMESPACE = ['ip', 'setpriv'];

let count = 0;

/** A network of Linux with one machine, to which the only cable can be pulled. */
export class Namespace {
  private constructor(
    private readonly name: string,
    /** Address of what runs in it. */
    readonly address: string,
  ) {}

  static async create(): Promise<Namespace> {
    count += 1;
    const name = `gh${process.pid}-${count}`;
    const network = `10.${100 + (process.pid % 100)}.${count}`;
    const namespace = new Namespace(name, `${network}.2`);
    await ip(`netns add ${name}`);
    await ip(`link add ${namespace.cable} type veth peer name eth0 netns ${name}`);
    await ip(`addr add ${network}.1/30 dev ${namespace.cable}`);
    await ip(`-n ${name} addr add ${network}.2/30 dev eth0`);
    for (const link of [`${namespace.cable}`, `-n ${name} eth0`, `-n ${name} lo`]) {
      const words = link.split(' ');
      await ip(`${words.slice(0, -1).join(' ')} link set ${words.at(-1)} up`.trim());
    }
    return namespace;
  }

  /** Drops every packet from now on, and tells neither side. */
  cut(): Promise<void> {
    return ip(`-n ${this.name} link set eth0 down`);
  }

  async mend(): Promise<void> {
    await ip(`-n ${this.name} link set eth0 up`);
  }

  /** Returns the command that runs another one in it. @param user default: root */
  wrap(
    words: readonly string[],
    { uid = 0, gid = 0 }: { readonly uid?: number; readonly gid?: number },
  ): string[] {
    const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
    return ['ip', 'netns', 'exec', this.name, ...as, ...words];
  }

  /** Removes it with its network. */
  async remove(): Promise<void> {
    await ip(`netns delete ${this.name}`);
  }

  private get cable(): string {
    return this.name;
  }
}

async function ip(words: string): Promise<void> {
  await run('ip', words.split(' '));
}
