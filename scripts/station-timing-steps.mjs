import { Station } from '../client/dist/station/index.js';
import { OwnService } from './own-service.mjs';

const SAMPLES = Number(process.env.SAMPLES ?? 200);
/** Samples of one person: with one more, ten wrong PINs lock the PIN. */
const PER_PERSON = 9;
const password = 'quiet-harbour-42';
const WRONG = '918273';
const limits = ['READ', 'WRITE', 'LOGIN', 'REFRESH', 'HASH', 'STATION'].map((name) => [
  `RATE_${name}`,
  'off',
]);
const service = await OwnService.start({ ...Object.fromEntries(limits), NODE_ENV: 'test' });
let counter = 0;

try {
  const [owner, second] = [await member(), await member()];
  const { id } = await post('tenants', { name: 'Lovelace Logistics' }, owner.token);
  const tenant = `tenants/${id}`;
  owner.token = await select(owner, id);
  await post(`${tenant}/invitations`, { email: second.email, roles: ['admin'] }, owner.token);
  const { token: invitation } = await service.nextMail(second.email);
  await post('auth/accept-invitation', { token: invitation }, second.token);
  second.token = await select(second, id);
  const policy = { stations: 'workers', pinReset: 'two-people' };
  await call('PUT', `${tenant}/sign-in-policy`, policy, owner.token);
  const created = await post(`${tenant}/stations`, { name: 'Gate 1' }, owner.token);
  let kept = null;
  const store = { read: async () => kept, write: async (station) => (kept = station) };
  const station = await Station.register({ url: service.base, store }, created.registrationCode);
  /** Adds a person with a temporary PIN. */
  const hire = async () => {
    const number = `N-${(counter += 1)}`;
    const given = { number, firstName: 'Grace', roles: ['member'] };
    const { userId } = await post(`${tenant}/workers`, given, owner.token);
    const path = `${tenant}/workers/${userId}`;
    await post(`${path}/pin-reset`, undefined, owner.token);
    const { temporaryPin } = await post(`${path}/pin-reset`, undefined, second.token);
    return { number, path, temporaryPin };
  };
  const suspended = async () => {
    const { number, path, temporaryPin: pin } = await hire();
    await post(`${path}/suspend`, undefined, owner.token);
    return { number, pin };
  };
  const locked = async () => {
    const { number, temporaryPin: pin } = await hire();
    for (let n = 0; n < 10; n += 1) await refused({ number, pin: WRONG });
    return { number, pin };
  };
  const refused = async (credentials) => {
    const code = await station.signIn(credentials).then(
      () => 'signed in',
      (error) => error.code,
    );
    if (code !== 'invalid-credentials') throw new Error(`The sign-in was answered by ${code}.`);
    // Activating it forgets the wrong PINs, which would else lock it.
    await call('PATCH', `${tenant}/stations/${station.id}`, { status: 'active' }, owner.token);
  };
  const unknown = async () => ({ number: `U-${(counter += 1)}`, pin: WRONG });
  const wrong = async () => ({ number: (await hire()).number, pin: WRONG });
  await compare('wrong PIN', wrong);
  await compare('right PIN, locked', locked);
  await compare('right PIN, suspended', suspended);

  /** Compares an unknown number with a person, in turns; a person is replaced before the lock. */
  async function compare(name, arm) {
    const times = [[], []];
    const arms = [unknown, arm];
    let people = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      if (sample % PER_PERSON === 0) people = await Promise.all(arms.map((one) => one()));
      for (const n of sample % 2 === 0 ? [0, 1] : [1, 0]) {
        const begun = performance.now();
        await station.signIn(people[n]).catch(() => undefined);
        times[n].push(performance.now() - begun);
        await call('PATCH', `${tenant}/stations/${station.id}`, { status: 'active' }, owner.token);
      }
    }
    const [a, b] = times.map(median);
    const apart = `${(Math.abs(b / a - 1) * 100).toFixed(1)} % apart`;
    const line = `unknown number ${a.toFixed(1)} ms, ${name} ${b.toFixed(1)} ms: ${apart}`;
    process.stdout.write(`station sign-in  ${line}  (medians of ${SAMPLES} each)\n`);
  }
} finally {
  await service.stop();
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Registers a person who is signed in. */
async function member() {
  const email = `member-${(counter += 1)}@example.com`;
  await post('auth/register', { email, password, firstName: 'Ada' });
  const { token } = await service.nextMail(email);
  await post('auth/verify-email', { token });
  const { accessToken } = await post('auth/login', { email, password });
  return { email, token: accessToken };
}

async function select({ token }, tenantId) {
  return (await post('auth/select-tenant', { tenantId }, token)).accessToken;
}

function post(path, body, token) {
  return call('POST', path, body, token);
}

async function call(method, path, body, token) {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(`${service.base}/api/v1/iam/${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}
