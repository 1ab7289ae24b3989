import { sign, verify } from 'node:crypto';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import { Database } from '../../src/platform/database/index.js';
import type { Metrics } from '../../src/platform/observability/index.js';
import { SigningKeyRepository } from '../../src/session/signing-keys/key-pair.repository.js';
import { SigningKeyService } from '../../src/session/signing-keys/signing-key.service.js';
import { withApp } from '../support/test-app.js';

const LEAD = 600;
const DAY = 86_400;
const DATA = Buffer.from('signed by a key of the service');

/** The keys of access tokens in addition to their rows, with several replicas in this process. */
describe('Signing keys', () => {
  let database: Database;
  let stored: SigningKeyRepository;
  const replicas: SigningKeyService[] = [];
  let ages: (() => number)[] = [];
  let ahead = 0;

  const app = withApp();
  beforeAll(async () => {
    database = app.app.get(Database, { strict: false });
    stored = app.app.get(SigningKeyRepository, { strict: false });
  });
  beforeEach(async () => {
    ages = [];
    await app.sql('DELETE FROM signing_keys');
  });
  afterEach(() => {
    for (const replica of replicas.splice(0)) replica.onApplicationShutdown();
    jest.restoreAllMocks();
  });

  function newReplica(): SigningKeyService {
    const metrics = { gauge: (_name: string, _help: string, read: () => number) => ages.push(read) };
    const keys = app.app.get(KeyDerivation, { strict: false });
    const replica = new SigningKeyService(database, stored, keys, metrics as unknown as Metrics);
    replicas.push(replica);
    return replica;
  }
  async function startReplica(): Promise<SigningKeyService> {
    const replica = newReplica();
    await replica.onModuleInit();
    return replica;
  }
  const kidsOf = (replica: SigningKeyService) =>
    replica.jwks.keys.map((key) => (key as { kid?: string }).kid);
  const storedKids = async () =>
    (await app.sql<{ kid: string }>('SELECT kid FROM signing_keys ORDER BY kid')).map(({ kid }) => kid);
  const begin = (kid: string, seconds: number) =>
    app.sql('UPDATE signing_keys SET signs_from = now() + make_interval(secs => $2) WHERE kid = $1', [
      kid,
      seconds,
    ]);
  /** Lets a replica read the keys again, as it does for an unknown one a second later. */
  async function readAgain(replica: SigningKeyService): Promise<void> {
    ahead += 1_500;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ahead);
    await replica.find('unknown');
    clock.mockRestore();
  }

  it('are created once, by replicas that start together on an empty table', async () => {
    const started = await Promise.all([1, 2, 3, 4, 5, 6].map(startReplica));
    const kids = await storedKids();
    expect(kids).toHaveLength(1);
    for (const replica of started)
      expect([replica.current.kid, ...kidsOf(replica)]).toEqual([...kids, ...kids]);
  });

  it('sign at once if they are the first', async () => {
    const replica = await startReplica();
    expect(replica.current.signsFrom).toBeLessThanOrEqual(performance.now());
    expect(ages[0]?.()).toBeGreaterThanOrEqual(0);
    expect(ages[0]?.()).toBeLessThan(60);
  });

  it('keep the first of an earlier start', async () => {
    const { current } = await startReplica();
    expect((await startReplica()).current.kid).toBe(current.kid);
    expect(await storedKids()).toEqual([current.kid]);
  });

  it('tell their age in seconds since they began to sign', async () => {
    const replica = await startReplica();
    await begin(replica.current.kid, -3_600);
    await readAgain(replica);
    expect(ages[0]?.()).toBeGreaterThanOrEqual(3_600);
    expect(ages[0]?.()).toBeLessThan(3_660);
  });

  it('sign what their public half verifies, in every replica', async () => {
    const [one, other] = [await startReplica(), await startReplica()];
    const signature = sign('sha256', DATA, one.current.privateKey);
    expect(verify('sha256', DATA, other.current.publicKey, signature)).toBe(true);
    expect(one.current.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
  });

  it('are stored and published without their private half', async () => {
    const replica = await startReplica();
    const [row] = await app.sql<{ text: string }>('SELECT k::text AS text FROM signing_keys k');
    const { d } = replica.current.privateKey.export({ format: 'jwk' });
    expect(row?.text).not.toMatch(/PRIVATE KEY|"d"/);
    expect(row?.text).not.toContain(d);
    expect(Object.keys(replica.jwks.keys[0] ?? {}).toSorted()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
    expect(replica.jwks.keys[0]).toMatchObject({ kid: replica.current.kid, use: 'sig', alg: 'ES256' });
  });

  it('are published ten minutes before they sign', async () => {
    const replica = await startReplica();
    const old = replica.current.kid;
    const kid = await replica.rotate();
    const [row] = await app.sql<{ due: number }>(
      'SELECT extract(epoch FROM signs_from - now())::float8 AS due FROM signing_keys WHERE kid = $1',
      [kid],
    );
    expect(row?.due).toBeGreaterThan(LEAD - 60);
    expect(row?.due).toBeLessThanOrEqual(LEAD);
    expect(kidsOf(replica).toSorted()).toEqual([old, kid].toSorted());
    expect(replica.current.kid).toBe(old);
    expect((await replica.find(kid))?.kid).toBe(kid);
  });

  it('sign in turn: the newest that is due', async () => {
    const replica = await startReplica();
    const first = replica.current.kid;
    await begin(first, -60);
    const second = await replica.rotate(0);
    expect(replica.current.kid).toBe(second);
    await begin(second, 30);
    await readAgain(replica);
    expect(replica.current.kid).toBe(first);
    await begin(second, -1);
    await readAgain(replica);
    expect(replica.current.kid).toBe(second);
  });

  it('sign at their time without a further read', async () => {
    const replica = await startReplica();
    const kid = await replica.rotate(LEAD);
    const reads = jest.spyOn(stored, 'findAll');
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + LEAD * 1_000 + 100);
    expect(replica.current.kid).toBe(kid);
    expect(reads).not.toHaveBeenCalled();
  });

  it('do not sign before any is due', async () => {
    const replica = await startReplica();
    await begin(replica.current.kid, 60);
    await readAgain(replica);
    expect(() => replica.current).toThrow('There is no signing key.');
  });

  it('of another replica are found, with at most one read a second', async () => {
    const [one, other] = [await startReplica(), await startReplica()];
    const kid = await other.rotate();
    const reads = jest.spyOn(stored, 'findAll');
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 2_000);
    expect((await one.find(kid))?.kid).toBe(kid);
    expect(reads).toHaveBeenCalledTimes(1);
    expect(await one.find('unknown')).toBeNull();
    clock.mockReturnValue(now + 3_000);
    expect(await one.find('unknown')).toBeNull();
    expect(reads).toHaveBeenCalledTimes(1);
    clock.mockReturnValue(now + 3_001);
    expect(await one.find('unknown')).toBeNull();
    expect(reads).toHaveBeenCalledTimes(2);
  });

  it('that are known need no read and are decrypted once', async () => {
    const replica = await startReplica();
    const { kid, privateKey } = replica.current;
    await readAgain(replica);
    expect(replica.current.privateKey).toBe(privateKey);
    const reads = jest.spyOn(stored, 'findAll');
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ahead + 5_000);
    expect((await replica.find(kid))?.privateKey).toBe(privateKey);
    expect(reads).not.toHaveBeenCalled();
  });

  it('are read every half minute until the service stops, also after a failed read', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval');
    const replica = await startReplica();
    const [read, interval] = timers.mock.calls.at(-1) ?? [];
    const timer = timers.mock.results.at(-1)?.value as NodeJS.Timeout;
    expect(interval).toBe(30_000);
    expect(timer.hasRef()).toBe(false);

    const reads = jest.spyOn(stored, 'findAll').mockRejectedValueOnce(new Error('no connection'));
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    (read as () => void)();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
    expect(replica.current.kid).toBe(kidsOf(replica)[0]);

    (read as () => void)();
    expect(reads).toHaveBeenCalledTimes(2);
    await reads.mock.results[1]?.value;
    replica.onApplicationShutdown();
    expect((timer as unknown as { _destroyed: boolean })._destroyed).toBe(true);
  });

  it('are deleted a day after their successor began to sign', async () => {
    const replica = await startReplica();
    const first = replica.current.kid;
    const second = await replica.rotate(0);
    await begin(first, -3 * DAY);
    await begin(second, -DAY + 60);
    await replica.deleteRetiredKeys();
    expect(await storedKids()).toEqual([first, second].toSorted());
    await begin(second, -DAY - 60);
    await replica.deleteRetiredKeys();
    expect(await storedKids()).toEqual([second]);
  });

  it('are kept without a successor, however old they are', async () => {
    const replica = await startReplica();
    await begin(replica.current.kid, -400 * DAY);
    await replica.rotate(LEAD);
    await replica.deleteRetiredKeys();
    expect(await storedKids()).toHaveLength(2);
  });

  it('that were deleted are not published any more', async () => {
    const replica = await startReplica();
    const second = await replica.rotate(0);
    await app.sql('DELETE FROM signing_keys WHERE kid <> $1', [second]);
    await readAgain(replica);
    expect(kidsOf(replica)).toEqual([second]);
  });
});
