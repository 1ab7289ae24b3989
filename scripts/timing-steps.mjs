import { setTimeout as sleep } from 'node:timers/promises';
import { OwnService } from './own-service.mjs';

const SAMPLES = Number(process.env.SAMPLES ?? 500);
/** Pause for the jobs of a request, which would slow down the next one. */
const SETTLE_MS = 30;
const password = 'quiet-harbour-42';
const wrong = 'a-wrong-harbour-9';
const limits = ['READ', 'WRITE', 'LOGIN', 'REFRESH', 'RESET', 'HASH'].map((name) => [`RATE_${name}`, 'off']);
// Jobs start at once in this environment: the script waits for thousands of mails.
const service = await OwnService.start({ ...Object.fromEntries(limits), NODE_ENV: 'test' });
let counter = 0;
const stranger = () => `stranger-${(counter += 1)}@example.com`;

try {
  await compare('register', { body: person, known: member, names: ['new address', 'taken address'] });
  await compare('login', { body: login, known: member, names: ['unknown address', 'wrong password'] });
  await compare('login', { body: login, known: pending, names: ['unknown address', 'unverified address'] });
  await compare('login', {
    body: (email) => ({ email, password }),
    known: suspended,
    names: ['unknown address', 'right password, suspended'],
  });
  await compare('login', {
    body: login,
    known: member,
    before: (email) => post('register', { ...person(email), password: wrong }),
    names: ['registered by the guesser, free', 'registered by the guesser, taken'],
  });
  await compare('request-password-reset', {
    body: bare,
    known: member,
    names: ['unknown address', 'known address'],
  });
  await compare('resend-verification', {
    body: bare,
    known: pending,
    names: ['unknown address', 'pending address'],
  });
} finally {
  await service.stop();
}

/**
 * Prepares both arms in the same way, so that only the address differs; each sample has its own
 * addresses, since failed logins slow down.
 */
async function compare(path, { body, known, names, before = async () => {} }) {
  const times = [[], []];
  const statuses = new Set();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (const arm of sample % 2 === 0 ? [0, 1] : [1, 0]) {
      const email = [stranger(), await known()][arm];
      await before(email);
      await sleep(SETTLE_MS);
      const began = performance.now();
      const { status } = await post(path, body(email));
      times[arm].push(performance.now() - began);
      statuses.add(status);
      await sleep(SETTLE_MS);
    }
  }
  const [a, b] = times.map(median);
  const apart = `${(Math.abs(b / a - 1) * 100).toFixed(1)} % apart`;
  const line = `${names[0]} ${a.toFixed(1)} ms, ${names[1]} ${b.toFixed(1)} ms: ${apart}`;
  process.stdout.write(`${path.padEnd(24)} ${[...statuses].join()}  ${line}  (medians of ${SAMPLES} each)\n`);
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${service.base}/api/v1/iam/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
}

function person(email) {
  return { email, password, firstName: 'Ada' };
}

function login(email) {
  return { email, password: wrong };
}

function bare(email) {
  return { email };
}

async function pending() {
  const email = stranger();
  await post('register', person(email));
  await service.nextMail(email);
  return email;
}

async function suspended() {
  const email = await member();
  await service.command('account:suspend', '--account', email);
  return email;
}

async function member() {
  const email = stranger();
  await post('register', person(email));
  const { token } = await service.nextMail(email);
  await post('verify-email', { token });
  return email;
}
