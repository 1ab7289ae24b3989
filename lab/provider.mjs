import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../scripts/own-service.mjs';
import { OwnProcess } from '../scripts/own-process.mjs';

/** User that has an account at each provider. */
export const PERSON = {
  username: 'ada',
  password: 'quiet-harbour-42',
  email: 'ada@example.com',
  firstName: 'Ada',
};

/**
 * An identity provider from Debian's packages, with its own server, address and folder on this
 * machine, set up from an empty folder and removed again.
 */
export class Provider {
  #process;

  /** Returns what the settings of the service need to know. */
  settings = {};
  /** User that signs in. */
  person = PERSON;

  /** Address of the provider, and the folder of its files. */
  async prepare() {
    this.url = `http://127.0.0.1:${await freePort()}`;
    this.folder = await mkdtemp(join(tmpdir(), 'gatehouse-lab-'));
    await chmod(this.folder, 0o755);
  }

  /** Runs its server until it answers at a path. */
  async run(command, env, path) {
    this.#process = await OwnProcess.start(
      command,
      { PATH: process.env.PATH, ...env },
      `${this.url}${path}`,
      'nothing',
    );
  }

  /** Ends its server, which may be started again. */
  async end() {
    await this.#process?.stop();
  }

  async stop() {
    await this.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  get port() {
    return new URL(this.url).port;
  }
}

export async function textOf(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
  return response.text();
}
