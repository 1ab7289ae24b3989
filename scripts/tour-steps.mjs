// Walks a person's whole journey over HTTP against a service that it starts from nothing, and prints each request and answer.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-tour-'));
await chmod(dataDir, 0o755);
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const environment = {
  ...process.env,
  PORT: String(port),
  PUBLIC_URL: base,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
};
const service = spawn(process.execPath, ['dist/src/main.js'], { env: environment, stdio: 'ignore' });
const ended = new Promise((resolve) => service.once('exit', resolve));
const seen = new Set();
let failures = 0;

try {
  await ready();
  await walk();
} finally {
  service.kill('SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(
  failures === 0
    ? '\nEvery answer was the expected one.\n'
    : `\n${failures} answers were not the expected ones.\n`,
);
process.exit(failures === 0 ? 0 : 1);

async function walk() {
  const person = { email: 'ada@example.com', password: 'quiet-harbour-42' };
  chapter('A newcomer registers');
  await call(202, 'POST', '/api/v1/iam/auth/register', {
    ...person,
    firstName: 'Ada',
    company: 'Lovelace Logistics',
  });
  await call(403, 'POST', '/api/v1/iam/auth/login', person);
  await call(204, 'POST', '/api/v1/iam/auth/verify-email', { token: await mailedToken() });
  await call(400, 'POST', '/api/v1/iam/auth/register', { email: 'not an address', password: 'short' });

  chapter('Signs in and looks around');
  const first = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  await call(200, 'GET', '/api/v1/iam/me', undefined, first.accessToken);
  await call(200, 'PATCH', '/api/v1/iam/me', { marketingOptIn: true }, first.accessToken);
  await call(200, 'GET', '/api/v1/iam/me/sessions', undefined, first.accessToken);
  await call(401, 'GET', '/api/v1/iam/me');

  chapter('Refreshes; a lost answer does no harm, a stolen old token ends the session');
  const second = await call(200, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: first.refreshToken });
  await call(200, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: first.refreshToken });
  await call(200, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: second.refreshToken });
  await call(401, 'POST', '/api/v1/iam/auth/refresh', { refreshToken: first.refreshToken });
  await call(401, 'GET', '/api/v1/iam/me', undefined, second.accessToken);

  chapter('Forgets the password');
  await call(202, 'POST', '/api/v1/iam/auth/request-password-reset', { email: person.email });
  person.password = 'a-new-harbour-7';
  await call(204, 'POST', '/api/v1/iam/auth/reset-password', {
    token: await mailedToken(),
    newPassword: person.password,
  });

  chapter('Signs out everywhere');
  const phone = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  const laptop = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  await call(204, 'POST', '/api/v1/iam/auth/logout-others', undefined, laptop.accessToken);
  await call(401, 'GET', '/api/v1/iam/me', undefined, phone.accessToken);
  await call(204, 'POST', '/api/v1/iam/auth/logout', undefined, laptop.accessToken);

  chapter('Leaves for good');
  const last = await call(200, 'POST', '/api/v1/iam/auth/login', person);
  await call(204, 'DELETE', '/api/v1/iam/auth/account', undefined, last.accessToken);
  await call(401, 'POST', '/api/v1/iam/auth/login', person);
}

async function call(expected, method, path, body, token) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${base}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  const answer = text === '' ? null : JSON.parse(text);
  const limits = `${response.headers.get('x-ratelimit-remaining')} of ${response.headers.get('x-ratelimit-limit')} left`;
  print(`\n${method} ${path}${token ? '  (signed in)' : ''}`);
  if (body) print(indent(body));
  print(
    `  → ${response.status} ${response.statusText}  [${limits}]${response.status === expected ? '' : `  expected ${expected}`}`,
  );
  if (answer) print(indent(answer));
  if (response.status !== expected) failures += 1;
  return answer ?? {};
}

/** The token of the link in the newest mail that has not been read yet. */
async function mailedToken() {
  for (let tries = 0; tries < 200; tries += 1) {
    const names = (await readdir(join(dataDir, 'mail')).catch(() => []))
      .filter((name) => !seen.has(name))
      .sort();
    for (const name of names) {
      seen.add(name);
      const mail = (await readFile(join(dataDir, 'mail', name), 'utf8'))
        .replace(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      const token = /token=([\w-]{43})/.exec(mail)?.[1];
      if (token) {
        print(`\n✉  ${/^Subject: (.*)$/m.exec(mail)?.[1]}`);
        return token;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The mail did not arrive.');
}

async function ready() {
  for (let tries = 0; tries < 600; tries += 1) {
    if (
      await fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The service did not become ready.');
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port: free } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return free;
}

function chapter(title) {
  print(`\n\n━━ ${title} ${'━'.repeat(Math.max(3, 60 - title.length))}`);
}

function indent(value) {
  const short = (_key, item) =>
    typeof item === 'string' && item.length > 70 ? `${item.slice(0, 60)}…` : item;
  return JSON.stringify(value, short, 2).replace(/^/gm, '    ');
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
