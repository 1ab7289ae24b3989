import { OwnService } from './own-service.mjs';

const SAMPLES = Number(process.env.SAMPLES ?? 500);
const password = 'quiet-harbour-42';
const wrong = 'a-wrong-harbour-9';
const limits = ['READ', 'WRITE', 'LOGIN', 'REFRESH', 'RESET'].map((name) => [`RATE_${name}`, 'off']);
const service = await OwnService.start(Object.fromEntries(limits));
let counter = 0;
const stranger = () => `stranger-${(counter += 1)}@example.com`;

try {
  // A failed login slows the next ones down, so that each sample needs an account of its own; hence a fresh one, made outside the measured
  // time. Both arms make one, else the one that comes straight from idling is measured cold.
  const pairs = [
    [
      'register',
      'new address',
      async () => person(await nobody()),
      'taken address',
      async () => person(await member()),
    ],
    [
      'login',
      'unknown address',
      async () => login(await nobody()),
      'wrong password',
      async () => login(await member()),
    ],
    [
      'login',
      'unknown address',
      async () => login(await nobody()),
      'unverified, wrong password',
      async () => login(await pending()),
    ],
    [
      'login',
      'registered by the guesser, free',
      async () => guessed(await nobody()),
      'registered by the guesser, taken',
      async () => guessed(await member()),
    ],
    [
      'request-password-reset',
      'unknown',
      async () => ({ email: await nobody() }),
      'known',
      async () => ({ email: await member() }),
    ],
    [
      'resend-verification',
      'unknown',
      async () => ({ email: await nobody() }),
      'pending',
      async () => ({ email: await pending() }),
    ],
  ];
  for (const pair of pairs) await compare(...pair);
} finally {
  await service.stop();
}

async function compare(path, oneName, one, otherName, other) {
  const times = [[], []];
  const statuses = new Set();
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    // Which arm goes first alternates, so that whatever the first leaves behind does not always hit the same one.
    for (const arm of sample % 2 === 0 ? [0, 1] : [1, 0]) {
      const body = await [one, other][arm]();
      const began = performance.now();
      statuses.add((await post(path, body)).status);
      times[arm].push(performance.now() - began);
    }
  }
  const [a, b] = times.map(median);
  const apart = `${(Math.abs(b / a - 1) * 100).toFixed(1)} % apart`;
  const line = `${oneName} ${a.toFixed(1)} ms, ${otherName} ${b.toFixed(1)} ms: ${apart}`;
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

async function guessed(email) {
  await post('register', { ...person(email), password: wrong });
  return login(email);
}

async function nobody() {
  await member();
  return stranger();
}

async function pending() {
  const email = stranger();
  await post('register', person(email));
  await service.nextMail(email);
  return email;
}

async function member() {
  const email = stranger();
  await post('register', person(email));
  const { token } = await service.nextMail(email);
  await post('verify-email', { token });
  return email;
}
