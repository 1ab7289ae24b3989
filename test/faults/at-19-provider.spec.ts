import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair } from 'jose';
import { OidcStandIn, type Twist } from '../lab/oidc-stand-in.js';
import { ExternalVisitor, signInTraces, type Landing } from '../support/external.js';
import { acceptance, percentile } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Wire } from './support/wire.js';

const FLOOD = inForm(200, 1_000);
const HANGING = 50;
/** The service's timeout of five seconds, and a margin for a busy machine. */
const IN_TIME_MS = 6_000;
/** Longer than the timeout of five seconds. */
const HANGS_MS = 10_000;
/** Time for which unknown keys cause no second request for the key set. */
const HALF_A_MINUTE_MS = 30_000;

const down = { status: 500, body: {} };
const KEYS = '/jwks';

acceptance('at-19', 'a failing identity provider', [], (figures) => {
  let lab: OidcStandIn;
  let fleet: Fleet;
  beforeAll(async () => {
    lab = await OidcStandIn.start();
    lab.person = { sub: 'ada' };
    fleet = await Fleet.start({ replicas: 2, balanced: false, settings: lab.settings });
  }, 120_000);
  beforeEach(() => {
    lab.twist = {};
  });
  afterAll(async () => {
    await fleet.stop();
    await lab.close();
  });

  /** Replica 0 has read the provider's metadata; replica 1 reads it during the faults. */
  const visitor = (n: number) => new ExternalVisitor(fleet.client(n), 'oidc');
  const begin = async () => lab.visit(String((await visitor(0).start()).body['authorizationUrl']));
  const asked = (path: string) => lab.requests.filter((one) => one === path).length;
  /** Time at which each replica last requested the key set, at the latest. */
  const keysAskedAt: [number, number] = [0, 0];
  const timed = async (n: 0 | 1, callback: URL): Promise<Landing & { ms: number }> => {
    const [began, before] = [Date.now(), asked(KEYS)];
    const landing = await visitor(n).open(callback);
    if (asked(KEYS) > before) keysAskedAt[n] = Date.now();
    return { ...landing, ms: Date.now() - began };
  };
  /** Waits until the replica may request the key set for an unknown key. */
  const untilKeysMayBeAsked = (n: 0 | 1) =>
    sleep(Math.max(0, keysAskedAt[n] + HALF_A_MINUTE_MS + 1_000 - Date.now()));
  const outcomeOf = ({ status, fragment }: Landing) =>
    fragment['error'] ?? ('access_token' in fragment ? 'signed in' : `status ${status}`);
  const expectOutcome = (what: string, landing: Landing, outcome: string) => {
    const got = outcomeOf(landing);
    figures.none(`${what}: other than ${outcome}`, got === outcome ? [] : [`${what}: ${got}`]);
  };
  /**
   * Applies a fault to one replica's sign-in: it ends in time, with the right code, and leaves no
   * rows.
   */
  const suffer = async (what: string, n: 0 | 1, twist: Twist, outcome: string) => {
    const callback = await begin();
    const before = await signInTraces(fleet.client());
    lab.twist = twist;
    const landing = await timed(n, callback);
    lab.twist = {};
    expectOutcome(what, landing, outcome);
    figures.note(`${what}: ended within`, landing.ms, 'ms', { atMost: IN_TIME_MS });
    expect(await signInTraces(fleet.client())).toEqual(before);
  };

  it('answers faults before the metadata is cached', async () => {
    const evil = { issuer: 'https://evil.example' };
    await suffer('discovery names no issuer', 1, { metadata: { issuer: undefined } }, 'invalid_response');
    await suffer('discovery lies about the issuer', 1, { metadata: evil }, 'invalid_response');
    await suffer('everything hangs', 1, { delayMs: HANGS_MS }, 'provider_unavailable');
    await suffer('everything is slow', 1, { delayMs: 2_000 }, 'provider_unavailable');
    await suffer('the keys answer 500', 1, { keySet: down }, 'provider_unavailable');
    expectOutcome('then', await timed(1, await begin()), 'signed in');
  }, 120_000);

  it('answers faults after the metadata is cached', async () => {
    expectOutcome('at first', await timed(0, await begin()), 'signed in');
    await suffer('it hangs', 0, { delayMs: HANGS_MS }, 'provider_unavailable');
    await suffer('tokens answer 500', 0, { answer: down }, 'provider_unavailable');
    await suffer('userinfo answers 500', 0, { userInfo: down }, 'provider_unavailable');
    await suffer(
      'the token lies about the issuer',
      0,
      { claims: { iss: 'https://evil.example' } },
      'invalid_response',
    );
    lab.twist = { keySet: down };
    const before = asked(KEYS);
    expectOutcome('the keys answer 500, but are known', await timed(0, await begin()), 'signed in');
    figures.note('questions for known keys', asked(KEYS) - before, '', { exactly: 0 });
  }, 120_000);

  it('delays no other request', async () => {
    const account = await fleet.register();
    const { accessToken: token } = await fleet.client().login(account);
    const wire = new Wire({ targets: [fleet.replica(0).url] });
    let over = false;
    const visits = ['GET /api/v1/iam/me', 'POST /api/v1/iam/auth/login'] as const;
    const read = async (): Promise<void> => {
      for (; !over; await sleep(20))
        await wire.ask({ method: 'GET', path: '/api/v1/iam/me', token, expect: [200] });
    };
    const login = async (): Promise<void> => {
      for (; !over; await sleep(20))
        await wire.ask({ method: 'POST', path: '/api/v1/iam/auth/login', body: account, expect: [200] });
    };
    const median = (what: string, from: number, to: number) =>
      percentile(
        wire.samples.filter((one) => one.what === what && one.at >= from && one.at < to).map(({ ms }) => ms),
        0.5,
      );
    const others = [read(), login()];
    await sleep(1_000); // warm
    const began = Date.now();
    await sleep(4_000);
    const callbacks = await Promise.all(Array.from({ length: HANGING }, begin));
    const identities = async () => (await signInTraces(fleet.client()))['external_identities'];
    const before = await identities();
    lab.twist = { delayMs: HANGS_MS };
    const hung = Date.now();
    const landings = await Promise.all(callbacks.map((callback) => timed(0, callback)));
    const ended = Date.now();
    over = true;
    await Promise.all(others);
    figures.note('callbacks that hung at once', landings.length);
    figures.none(
      'other than provider_unavailable',
      landings.map(outcomeOf).filter((word) => word !== 'provider_unavailable'),
    );
    figures.note('the longest', Math.max(...landings.map(({ ms }) => ms)), 'ms', { atMost: IN_TIME_MS });
    expect(await identities()).toBe(before);
    for (const what of visits) {
      const [usual, during] = [median(what, began, hung), median(what, hung, ended)];
      figures.note(`median of ${what} as usual`, usual, 'ms');
      figures.note(`median of ${what} during the fault`, during, 'ms');
      // No bound: other work on the machine changes it too.
      figures.note(`ratio of these`, usual > 0 ? during / usual : 1);
    }
    figures.none('broken promises', wire.faults);
  }, 120_000);

  it('accepts a rotated key with one request for the key set', async () => {
    const { privateKey: key, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'next', alg: 'ES256', use: 'sig' };
    const keySet = { status: 200, body: { keys: [jwk] } };
    await untilKeysMayBeAsked(0);
    const before = asked(KEYS);
    lab.twist = { key, header: { kid: 'next' }, keySet };
    expectOutcome('a new key at its first use', await timed(0, await begin()), 'signed in');
    figures.note('questions for it', asked(KEYS) - before, '', { exactly: 1 });
    lab.twist = { keySet };
    expectOutcome('the key that was removed', await timed(0, await begin()), 'invalid_response');
    figures.note('questions for that', asked(KEYS) - before, '', { exactly: 1 });
  }, 120_000);

  it('bounds requests for the key set in a flood of unknown keys', async () => {
    await untilKeysMayBeAsked(1);
    const traces = await signInTraces(fleet.client());
    const { privateKey: key } = await generateKeyPair('ES256');
    lab.twist = { key, header: { kid: 'unknown' } };
    const [before, began] = [asked(KEYS), Date.now()];
    const words: string[] = [];
    const walk = async (): Promise<void> => {
      while (words.length < FLOOD) words.push(outcomeOf(await timed(1, await begin())));
    };
    await Promise.all(Array.from({ length: 10 }, walk));
    const most = 1 + Math.floor((Date.now() - began) / HALF_A_MINUTE_MS);
    figures.note('sign-ins by unknown keys', words.length);
    figures.none(
      'other than invalid_response',
      words.filter((word) => word !== 'invalid_response'),
    );
    figures.note('questions for keys during the flood', asked(KEYS) - before, '', { atMost: most });
    expect(await signInTraces(fleet.client())).toEqual(traces);
    figures.none('complaints in the logs', fleet.complaints);
  }, 180_000);
});
