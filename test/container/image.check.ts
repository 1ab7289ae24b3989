import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { answers, freePort } from '../support/built-service.js';
import { Dockerfile } from '../support/dockerfile.js';
import { MailServer } from '../support/mail-server.js';
import { createDatabase, eventually } from '../support/test-app.js';

/** Somebody who may do nothing: Debian's nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const BUILD_LIMIT_MS = 600_000;

/**
 * What `docker build` and `docker run --read-only` do, on a machine without an engine: the steps of the Dockerfile in clean folders, and the
 * result as process 1 of an unprivileged user, in a file system where nothing can be written, not even below /tmp.
 */
describe('The image', () => {
  const dockerfile = Dockerfile.read();
  let image: { folder: string; remove(): void };
  let node: string;
  let mails: MailServer;
  let port: number;
  let environment: Record<string, string>;
  let service: ChildProcess;
  let output = '';
  beforeAll(async () => {
    image = await dockerfile.build();
    chmodSync(dirname(image.folder), 0o755);
    node = join(dirname(image.folder), 'node'); // the checkout may be where nobody can look
    copyFileSync(process.execPath, node);
    mails = await MailServer.start();
    port = await freePort();
    environment = {
      ...dockerfile.environment,
      PATH: '/opt',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: await createDatabase(),
      ROOT_SECRET: randomBytes(32).toString('base64'),
      SMTP_URL: mails.url,
    };
    service = run(Dockerfile.wordsOf(dockerfile.last('CMD')[0]));
    service.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually('it is ready', () => answers(`http://127.0.0.1:${port}/readyz`), 120_000).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}\n${output}`);
      },
    );
  }, BUILD_LIMIT_MS);
  afterAll(async () => {
    service?.kill('SIGKILL');
    await mails?.close();
    image?.remove();
  });

  /** In a container, as far as the kernel alone can make one. */
  function run(command: string[]): ChildProcess {
    const system = ['/usr', '/lib', '/lib64', '/etc'].flatMap((path) => ['--ro-bind-try', path, path]);
    const own = ['--ro-bind', node, '/opt/node', '--ro-bind', image.folder, '/gatehouse'];
    const kernel = ['--proc', '/proc', '--dev', '/dev', '--remount-ro', '/'];
    const apart = ['--unshare-pid', '--as-pid-1', '--die-with-parent', '--chdir', '/gatehouse'];
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]);
    const words = [...system, ...own, ...kernel, ...apart, '--clearenv', ...variables, ...command];
    return spawn('bwrap', words, { stdio: ['ignore', 'ignore', 'pipe'], ...NOBODY });
  }

  const exit = (child: ChildProcess) =>
    new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));

  it('is small', () => {
    const [kilobytes = ''] = execFileSync('du', ['-sk', image.folder], { encoding: 'utf8' }).split('\t');
    process.stdout.write(`The image adds ${Math.round(Number(kilobytes) / 1024)} MB to that of Node.\n`);
    expect(Number(kilobytes)).toBeLessThan(150 * 1024);
  });

  it('serves, and sends mail, though it can write nowhere', async () => {
    const person = { email: 'ada@example.com', password: 'quiet-harbour-42', firstName: 'Ada' };
    const { status } = await fetch(`http://127.0.0.1:${port}/api/v1/iam/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    });
    expect(status).toBe(202);
    await eventually('the mail arrives', () => mails.received.length > 0);
  });

  it('is found well by its own health check, and a process that is not there is not', async () => {
    const check = Dockerfile.wordsOf(dockerfile.last('HEALTHCHECK')[0]);
    expect(await exit(run(check))).toBe(0);
    environment['PORT'] = String(await freePort());
    expect(await exit(run(check))).toBe(1);
  });

  it('ends with exit code 0 when its process 1 is told to', async () => {
    const signal = dockerfile.last('STOPSIGNAL')[0]?.getArgumentsContent() ?? '';
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(service.pid)], { encoding: 'utf8' });
    process.kill(Number(children.trim()), signal as NodeJS.Signals);
    expect(await exit(service)).toBe(0);
  });
});
