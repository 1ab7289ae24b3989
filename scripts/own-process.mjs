import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server in its own process. */
export class OwnProcess {
  #process;
  #ended;

  /**
   * Starts a server and waits until it answers at the address.
   * @param command the program and its arguments
   * @param shows which of its output is shown: "stderr", "both" or "nothing"
   */
  static async start(command, env, address, shows = 'stderr') {
    const own = new OwnProcess();
    own.#process = spawn(command[0], command.slice(1), {
      env,
      stdio: ['ignore', shows === 'both' ? 'inherit' : 'ignore', shows === 'nothing' ? 'ignore' : 'inherit'],
    });
    own.#ended = new Promise((resolve) => {
      own.#process.once('exit', resolve);
      own.#process.once('error', resolve); // there is no such program
    });
    if (await own.#answers(address)) return own;
    await own.stop();
    throw new Error(`${command.join(' ')} does not answer at ${address}.`);
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
    return (
      this.#process.pid !== undefined && this.#process.exitCode === null && this.#process.signalCode === null
    );
  }
}
