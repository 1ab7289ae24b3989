import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server of pages from an example, in a process of its own, that knows only what its settings say. */
export class OwnSite {
  #process;
  #ended;

  /** @param settings environment variables; OWN_URL among them is where it answers */
  static async start(script, settings) {
    const site = new OwnSite();
    site.#process = spawn(process.execPath, [script], {
      env: settings,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    site.#ended = new Promise((resolve) => site.#process.once('exit', resolve));
    await site.#ready(settings.OWN_URL);
    return site;
  }

  async stop() {
    this.#process.kill('SIGTERM');
    await this.#ended;
  }

  async #ready(url) {
    for (let tries = 0; tries < 100 && this.#process.exitCode === null; tries += 1) {
      const ready = await fetch(`${url}/style.css`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (ready) return;
      await sleep(100);
    }
    await this.stop();
    throw new Error(`There is no answer at ${url}.`);
  }
}
