import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { OwnService } from './own-service.mjs';

const SAMPLES = Number(process.env.SAMPLES ?? 500);
/** How long the answers to another route are watched after a request. */
const WINDOW_MS = 60;
/** Pause between two probes, so that the work of one ends before the next. */
const SETTLE_MS = 60;
/** Pause after creating the addresses. */
const QUIET_MS = 3_000;
/** Probes per address: mails sent at first are withheld later. */
const PER_ADDRESS = 8;
const MAX_DISTANCE = 0.05;
/**
 * Standard errors that chance alone exceeds once in 140 times; a figure beyond them is measured
 * once more.
 */
const MAX_ERRORS = 2.7;
const password = 'quiet-harbour-42';
const agent = new Agent({ keepAlive: true });
/** Standard error of the AUC of two equal distributions (Hanley and McNeil 1982). */
const standardError = Math.sqrt((2 * SAMPLES + 1) / (12 * SAMPLES * SAMPLES));
const allowed = Math.max(MAX_DISTANCE, MAX_ERRORS * standardError);

const PROBES = [
  ['register', (email) => ({ email, password, firstName: 'Ada' })],
  ['request-password-reset', (email) => ({ email })],
];
const MODES = [
  ['as shipped', {}],
  ['jobs at once', { NODE_ENV: 'test' }], // without the random delay, which would hide unequal work
];

let service;
let counter = 0;
const stranger = () => `stranger-${(counter += 1)}@example.com`;
let failed = false;
for (const [mode, settings] of MODES) {
  const limits = ['READ', 'WRITE', 'LOGIN', 'REFRESH', 'RESET', 'HASH'].map((name) => [
    `RATE_${name}`,
    'off',
  ]);
  service = await OwnService.start({ ...Object.fromEntries(limits), BCRYPT_COST: '10', ...settings });
  try {
    for (const [path, body] of PROBES) {
      const outside = await compare(mode, path, body);
      if (outside && (await compare(mode, path, body))) failed = true;
    }
  } finally {
    await service.stop();
  }
}
if (failed) {
  process.stdout.write('The answers to another route tell a known address from an unknown one.\n');
  process.exit(1);
}
process.exit(0); // the connections of the watcher are kept alive

/** @returns whether a figure is outside the range that equal work gives */
async function compare(mode, path, body) {
  const count = Math.ceil(SAMPLES / PER_ADDRESS);
  const addresses = {
    unknown: Array.from({ length: count }, stranger),
    known: await Promise.all(Array.from({ length: count }, member)),
  };
  await sleep(QUIET_MS);
  const seen = { unknown: [], known: [] };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    for (const arm of sample % 2 === 0 ? ['unknown', 'known'] : ['known', 'unknown']) {
      const email = addresses[arm][sample % count];
      const status = await post(path, body(email));
      if (status !== 202) throw new Error(`${path} answered ${status}.`);
      seen[arm].push(await watch());
      await sleep(SETTLE_MS);
    }
  }
  const figures = ['count', 'slowest'].map((name) => {
    const values = (arm) => seen[arm].map((window) => window[name]);
    return [name, auc(values('unknown'), values('known'))];
  });
  const shown = figures.map(([name, value]) => `${name} ${value.toFixed(3)}`).join(', ');
  const interval = (1.96 * standardError).toFixed(3);
  process.stdout.write(
    `${mode.padEnd(14)}${path.padEnd(24)}AUC ${shown}  (${SAMPLES} each, 95 % of chance: 0.5 ± ${interval}; allowed ± ${allowed.toFixed(3)})\n`,
  );
  return figures.some(([, value]) => Math.abs(value - 0.5) > allowed);
}

/** Sends requests to another route, one after the other. */
async function watch() {
  const end = performance.now() + WINDOW_MS;
  let [count, slowest] = [0, 0];
  for (let began = performance.now(); began < end; began = performance.now()) {
    await get('/.well-known/jwks.json');
    count += 1;
    slowest = Math.max(slowest, performance.now() - began);
  }
  return { count, slowest };
}

/** Returns how often a value of the second list exceeds one of the first; ties count half. */
function auc(first, second) {
  let above = 0;
  for (const a of first) for (const b of second) above += b > a ? 1 : b === a ? 0.5 : 0;
  return above / (first.length * second.length);
}

async function member() {
  const email = stranger();
  await post('register', { email, password, firstName: 'Ada' });
  const { token } = await service.nextMail(email);
  await post('verify-email', { token });
  return email;
}

async function post(path, body) {
  const { status } = await fetch(`${service.base}/api/v1/iam/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return status;
}

function get(path) {
  return new Promise((resolve, reject) => {
    const asked = request(`${service.base}${path}`, { agent }, (answer) => {
      answer.resume().once('end', resolve);
    });
    asked.once('error', reject).end();
  });
}
