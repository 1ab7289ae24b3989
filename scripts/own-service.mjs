import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OwnProcess } from './own-process.mjs';
import { CLI, SERVICE } from './service.mjs';

/** Services that this process has started. */
const running = new Set();

/** Stops a service also where its script is interrupted: Ctrl-C leaves no data behind. */
function keep(service) {
  running.add(service);
  for (const signal of ['SIGINT', 'SIGTERM'])
    if (!process.listeners(signal).includes(endAll)) process.on(signal, endAll);
}

function endAll(signal) {
  if (process.listenerCount(signal) > 1) return; // the script stops them itself
  Promise.all([...running].map((service) => service.stop()))
    .catch((error) => process.stderr.write(`A service was not stopped: ${error}\n`))
    .finally(() => process.exit(1));
}

/**
 * A service with its own database, mail folder and port, set up from an empty folder and removed
 * again.
 */
export class OwnService {
  #starting;
  #stopping;
  #process;
  #env;
  #dataDir;
  #seen = new Set();
  #mails = [];

  /**
   * @param settings environment variables besides those that isolate it
   * @param shows as {@link OwnProcess.start} takes it
   * @param launched command that launches node
   */
  static async start(settings = {}, { shows = 'nothing', launched = (command) => command } = {}) {
    const service = new OwnService();
    keep(service); // first: a signal then waits for the start, and finds what it made
    service.#starting = service.#start(settings, shows, launched);
    await service.#starting;
    return service;
  }

  async #start(settings, shows, launched) {
    this.#dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-own-'));
    try {
      await chmod(this.#dataDir, 0o755);
      const port = await freePort();
      this.base = `http://127.0.0.1:${port}`;
      this.#env = {
        ...process.env,
        PORT: String(port),
        PUBLIC_URL: this.base,
        DATA_DIR: this.#dataDir,
        LOG_LEVEL: 'silent',
        DATABASE_URL: '', // whatever this shell is set up for
        SMTP_URL: '',
        ...settings,
      };
      const command = launched([process.execPath, ...SERVICE]);
      this.#process = await OwnProcess.start(command, this.#env, `${this.base}/readyz`, shows);
    } catch (error) {
      await this.#removeData();
      throw error;
    }
  }

  get pid() {
    return this.#process.pid;
  }

  /** Stops it and removes its data: once, where a signal meets the end of the script. */
  stop() {
    return (this.#stopping ??= this.#end());
  }

  async #end() {
    await this.#starting.catch(() => undefined);
    await this.#process?.stop();
    await this.#removeData();
  }

  /** Runs a command of the operator's command line and returns its output. */
  async command(...args) {
    const options = { env: this.#env };
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], options);
    return JSON.parse(stdout);
  }

  /**
   * Returns subject and token of the oldest mail to this address not yet returned.
   * @param withLink whether of those with a link, or of the others
   */
  async nextMail(to, { withLink = true } = {}) {
    for (let tries = 0; tries < 1_200; tries += 1) {
      await this.#readMails();
      const index = this.#mails.findIndex(
        (mail) => mail.to === to && (mail.token !== undefined) === withLink,
      );
      if (index >= 0) return this.#mails.splice(index, 1)[0];
      await sleep(50);
    }
    throw new Error('The mail did not arrive.');
  }

  async #readMails() {
    const folder = join(this.#dataDir, 'mail');
    const names = (await readdir(folder).catch(() => [])).filter((name) => !this.#seen.has(name)).sort();
    for (const name of names) {
      const mail = (await readFile(join(folder, name), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=');
      if (mail === '') continue; // made, but not written yet
      this.#seen.add(name);
      const [to, subject, token] = [/^To: (.*)$/m, /^Subject: (.*)$/m, /token=([\w-]{43})/].map(
        (pattern) => pattern.exec(mail)?.[1],
      );
      this.#mails.push({ to, subject, token });
    }
  }

  #removeData() {
    running.delete(this);
    return rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** Returns a port that was free a moment ago. */
export async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
