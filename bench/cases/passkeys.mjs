import { Ceremonies } from '../../dist/src/authenticator/passkeys/ceremonies.js';
import { Secret } from '../../dist/src/platform/config/secret.js';
import { KeyDerivation } from '../../dist/src/platform/crypto/index.js';
import { SoftAuthenticator } from '../../test/support/soft-authenticator.ts';
import { batch } from '../support/batch.mjs';
import { cpuTimeOf } from '../support/cpu-time.mjs';
import { send } from '../support/load.mjs';
import { storedPassword } from '../support/passwords.mjs';
import { idOf, populate } from '../support/people.mjs';
import { loginOf } from './login.mjs';

/** People with a passkey; as many others have only a password. */
const PEOPLE = 500;
const AT_ONCE = 8;

/** Measures sign-ins by passkey against logins by password, and confirmations by passkey. */
export default async function passkeys(bench) {
  const service = await bench.service();
  await populate(service.query, { people: 2 * PEOPLE, passwordHash: await storedPassword(service) });
  const own = await enrol(service);
  const tokens = await bench.tokensOf(service);
  const [signIns, logins] = [
    bench.of({ full: 1_000, quick: 300, smoke: 4 }),
    bench.of({ full: 24, quick: 8, smoke: 2 }),
  ];
  const signInAll = async () => {
    const requests = Array.from({ length: signIns }, (_, n) => own.signIn(n % PEOPLE)); // signed before
    const before = cpuTimeOf(service.pid);
    const { perSecond } = await batch(signIns, AT_ONCE, (n) => send(service, requests[n]));
    return { perSecond, cpu: (cpuTimeOf(service.pid) - before) / signIns };
  };
  await bench.warm(signInAll);
  const { perSecond } = await bench.paired(signInAll, () =>
    batch(logins, AT_ONCE, (n) => send(service, loginOf(PEOPLE + (n % PEOPLE)))),
  );
  return [
    {
      name: 'passkey sign-in, per core',
      against: 'password login',
      unit: '/s',
      goal: { atLeast: 40 },
      ...perSecond,
    },
    {
      name: 'step-up by passkey, p99',
      unit: 'ms',
      goal: { atMost: 50 },
      ours: await stepUpP99(service, own, tokens, signIns),
    },
  ];
}

/** Returns the 99th percentile of step-ups, two at a time, in milliseconds. */
async function stepUpP99(service, own, tokens, count) {
  const requests = Array.from({ length: count }, (_, n) => own.stepUp(n % PEOPLE, tokens));
  const times = [];
  await batch(count, 2, async (n) => {
    const begun = performance.now();
    await send(service, requests[n]);
    times.push(performance.now() - begun);
  });
  return times.toSorted((a, b) => a - b)[Math.floor(0.99 * (count - 1))];
}

/** Gives people passkeys. @returns requests of theirs, each with a ceremony of its own */
async function enrol({ base, rootSecret, query }) {
  const keys = new KeyDerivation(new Secret(Buffer.from(rootSecret, 'base64')));
  const ceremonies = new Ceremonies(null, keys);
  const authenticators = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const authenticator = new SoftAuthenticator(base, { backupEligible: true });
    const handle = Buffer.from(idOf('H', n).padEnd(32, '0'));
    authenticator.userHandle = handle.toString('base64url');
    authenticators.push(authenticator);
    await query('INSERT INTO passkey_users (account_id, handle) VALUES ($1, $2)', [idOf('A', n), handle]);
    await query(
      `INSERT INTO passkeys (account_id, id, name, credential_id, public_key, sign_count, backup_eligible, backed_up, transports)
       VALUES ($1, $2, 'Passkey', $3, $4, 0, true, false, '{internal}')`,
      [idOf('A', n), idOf('K', n), authenticator.credentialId, authenticator.coseKey()],
    );
  }
  const rpId = new URL(base).hostname;
  const answer = (n, use) => {
    const { ceremony, challenge } = ceremonies.begin(use);
    return authenticators[n].assert({ ceremony, publicKey: { rpId, challenge } }, { signCount: 0 });
  };
  return {
    signIn: (n) => ({
      method: 'POST',
      path: '/api/v1/iam/auth/passkeys/login',
      body: answer(n, { purpose: 'sign-in', binding: '' }),
    }),
    stepUp: (n, tokens) => ({
      method: 'POST',
      path: '/api/v1/iam/auth/step-up',
      token: tokens.access(n),
      body: {
        method: 'passkey',
        ...answer(n, { purpose: 'step-up', binding: `${idOf('A', n)}|${idOf('S', n)}` }),
      },
    }),
  };
}
