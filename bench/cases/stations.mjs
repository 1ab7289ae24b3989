import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { StationNonces } from '../../dist/src/frontline/stations/station-nonces.js';
import { PinHasher } from '../../dist/src/frontline/workers/pin-hasher.js';
import { Secret } from '../../dist/src/platform/config/secret.js';
import { KeyDerivation } from '../../dist/src/platform/crypto/index.js';
import { batch } from '../support/batch.mjs';
import { cpuTimeOf } from '../support/cpu-time.mjs';
import { send } from '../support/load.mjs';
import { paced, percentilesOf } from '../support/paced.mjs';
import { storedPassword } from '../support/passwords.mjs';
import { idOf, populate } from '../support/people.mjs';
import { loginOf } from './login.mjs';

/** Workers; as many others sign in by password. */
const PEOPLE = 500;
const STATIONS = 40;
const PIN = '705318';
const AT_ONCE = 8;
/** People who sign in within five minutes. */
const SHIFT_PER_SECOND = 500 / 300;
const PAUSE_MS = 500;
const TENANT = idOf('T', 0);
const POLICY = { secondFactor: 'optional', sso: 'optional', stations: 'workers' };

/** Measures sign-ins at shared stations against logins by password, and a change of shifts. */
export default async function stations(bench) {
  const service = await bench.service();
  await populate(service.query, { people: 2 * PEOPLE, passwordHash: await storedPassword(service) });
  const devices = await equip(service);
  const [signIns, logins, shift] = [
    bench.of({ full: 800, quick: 240, smoke: 4 }),
    bench.of({ full: 24, quick: 8, smoke: 2 }),
    bench.of({ full: 500, quick: 60, smoke: 4 }),
  ];
  const signInAll = async () => {
    const requests = Array.from({ length: signIns }, (_, n) => devices.signIn(n)); // signed before
    const before = cpuTimeOf(service.pid);
    const { perSecond } = await batch(signIns, AT_ONCE, (n) => send(service, requests[n]));
    return { perSecond, cpu: (cpuTimeOf(service.pid) - before) / signIns };
  };
  await bench.warm(signInAll);
  const { perSecond } = await bench.paired(signInAll, () =>
    batch(logins, AT_ONCE, (n) => send(service, loginOf(PEOPLE + (n % PEOPLE)))),
  );
  const without = await loginP50(service, logins);
  const times = [];
  const changing = paced(
    async (n) => {
      const request = devices.signIn(n);
      const begun = performance.now();
      await send(service, request);
      times.push(performance.now() - begun);
    },
    { count: shift, perSecond: SHIFT_PER_SECOND },
  );
  const during = await loginP50(service, logins);
  await changing;
  return [
    {
      name: 'sign-in at a station, per core',
      against: 'password login',
      unit: '/s',
      goal: { atLeast: 10 },
      ...perSecond,
    },
    {
      name: 'sign-in at a change of shifts (500 people, 40 stations, 5 min), p99',
      unit: 'ms',
      goal: { atMost: 400 },
      ours: percentilesOf(times).p99,
    },
    {
      name: 'login during a change of shifts, against one without',
      unit: '×',
      goal: { atMost: 1.2 },
      ours: during / without,
    },
  ];
}

/** Returns the median of logins one after the other, with pauses, in milliseconds. */
async function loginP50(service, count) {
  const times = [];
  for (let n = 0; n < count; n += 1) {
    await sleep(PAUSE_MS);
    const begun = performance.now();
    await send(service, loginOf(PEOPLE + n));
    times.push(performance.now() - begun);
  }
  return percentilesOf(times).p50;
}

/** Makes people workers of one organization, with stations. @returns requests of these */
async function equip({ base, rootSecret, query }) {
  const keys = new KeyDerivation(new Secret(Buffer.from(rootSecret, 'base64')));
  const nonces = new StationNonces(keys);
  const pins = new PinHasher(keys, { run: (_network, work) => work() });
  await query('UPDATE tenants SET sign_in_policy = $1 WHERE id = $2', [JSON.stringify(POLICY), TENANT]);
  for (let n = 0; n < PEOPLE; n += 1) {
    const id = idOf('A', n);
    await query('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      TENANT,
      id,
    ]);
    await query('UPDATE accounts SET email = NULL, email_key = NULL WHERE id = $1', [id]);
    await query(
      'INSERT INTO workers (tenant_id, user_id, number, number_key, pin_hash) VALUES ($1, $2, $3, $3, $4)',
      [TENANT, id, String(n), await pins.hash(id, PIN, 'bench')],
    );
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  for (let n = 0; n < STATIONS; n += 1)
    await query(
      `INSERT INTO stations (tenant_id, id, name, status, idle_seconds, shift_seconds, jwk, jkt, created_by)
       VALUES ($1, $2, $3, 'active', 300, 43200, $4, $5, $6)`,
      [TENANT, idOf('Y', n), `Gate ${n}`, { kty, crv, x, y }, thumbprint, idOf('A', 0)],
    );
  return {
    signIn: (n) => {
      const id = idOf('Y', n % STATIONS);
      const path = `/api/v1/iam/auth/stations/${id}/sign-in`;
      const proof = prove(privateKey, id, { htu: base + path, nonce: nonces.create(id) });
      const body = { number: String(n % PEOPLE), pin: PIN };
      return { method: 'POST', path, headers: { 'station-proof': proof }, body };
    },
  };
}

function prove(key, kid, claims) {
  const header = { typ: 'station-proof+jwt', alg: 'ES256', kid };
  const payload = { htm: 'POST', iat: Math.floor(Date.now() / 1_000), jti: randomUUID(), ...claims };
  const content = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = sign('sha256', Buffer.from(content.join('.')), { key, dsaEncoding: 'ieee-p1363' });
  return [...content, signature.toString('base64url')].join('.');
}
