import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server in a process of its own. */
export class OwnProcess {
  #process;
  #ended;

  /**
   * Started, and answering at the address.
   * @param shows what it writes that is shown: "stderr", "both" or "nothing"
   * @param launch by which command and arguments to run a command with its arguments
   */
  static async start(script, env, address, { shows = 'stderr', launch = (...command) => command } = {}) {
    const own = new OwnProcess();
    const [command, args] = launch(process.execPath, [script]);
    own.#process = spawn(command, args, {
      env,
      stdio: ['ignore', shows === 'both' ? 'inherit' : 'ignore', shows === 'nothing' ? 'ignore' : 'inherit'],
    });
    own.#ended = new Promise((resolve) => own.#process.once('exit', resolve));
    if (await own.#answers(address)) return own;
    await own.stop();
    throw new Error(`${script} does not answer at ${address}.`);
  }

  get pid() {
    return this.#process.pid;
  }

  async stop() {
    if (!this.#runs()) return;
    this.#process.kill('SIGTERM');
    await this.#ended;
  }

  async #answers(address) {
    for (let tries = 0; tries < 600 && this.#runs(); tries += 1) {
      const ready = await fetch(address).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) return true;
      await sleep(100);
    }
    return false;
  }

  #runs() {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }
}
