import { PasswordHasher } from '../../src/iam/accounts/credentials/password-hasher.js';
import { Secret } from '../../src/platform/config/secret.js';
import type { Settings } from '../../src/platform/config/index.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import { Metrics } from '../../src/platform/observability/index.js';

const OLD = new Secret(Buffer.alloc(32, 1));
const NEW = new Secret(Buffer.alloc(32, 2));
const NETWORK = '203.0.113.7';
const PASSWORD = 'quiet-harbour-42';
const STORED = /^v1\$[0-9a-f]{8}\$\$2b\$04\$.{53}$/;

const metrics = new Metrics();
const create = (keys: KeyDerivation, cost = 4, counted = new Metrics()) =>
  new PasswordHasher(keys, { BCRYPT_COST: cost, WORKERS: 1 } as Settings, counted);
const hasher = create(new KeyDerivation(OLD), 4, metrics);
const rotated = create(new KeyDerivation(NEW, OLD));
const foreign = create(new KeyDerivation(NEW));

/** Scheme, pepper, cost and salt: what stored forms share that one hash can be compared with. */
const saltOf = (stored: string) => stored.slice(0, 'v1$01234567$$2b$04$'.length + 22);
const hash = (password = PASSWORD, like: string | null = null, by = hasher) =>
  by.hash(password, NETWORK, like);
const verify = (password: string, ...stored: (string | null)[]) =>
  hasher.verify(password, NETWORK, ...stored);

describe('The stored form of a password', () => {
  it('has a salt of its own, and fits this password alone', async () => {
    const [one, other] = [await hash(), await hash()];
    expect(one).toMatch(STORED);
    expect(saltOf(one)).not.toBe(saltOf(other));
    expect(await verify(PASSWORD, one)).toEqual([true]);
    expect(await verify(PASSWORD, other)).toEqual([true]);
    expect(await verify(`${PASSWORD} `, one)).toEqual([false]);
  });

  it('shares the salt of another one, if it can be read', async () => {
    const one = await hash();
    expect(await hash(PASSWORD, one)).toBe(one);
    expect(saltOf(await hash('another-one', one))).toBe(saltOf(one));
    for (const unreadable of ['hash', `v2${one.slice(2)}`, `x${one}`, saltOf(one)]) {
      const made = await hash(PASSWORD, unreadable);
      expect(made).toMatch(STORED);
      expect(saltOf(made)).not.toBe(saltOf(one));
    }
    expect(saltOf(await hash(PASSWORD, one, foreign))).not.toBe(saltOf(one));
  });

  it('is compared beside others of its salt, none of them stored ones or of another length', async () => {
    const one = await hash();
    const beside = await hash('another-one', one);
    expect(await verify(PASSWORD, one, beside)).toEqual([true, false]);
    expect(await verify('another-one', one, beside)).toEqual([false, true]);
    expect(await verify(PASSWORD, null, one)).toEqual([false, true]);
    expect(await verify(PASSWORD, one, null, 'short', `${one}x`)).toEqual([true, false, false, false]);
    expect(await verify(PASSWORD, null)).toEqual([false]);
    expect(await verify('', null, null)).toEqual([false, false]);
  });

  it('of an address has the salt of the address, else of a form that is there already', async () => {
    const register = (address: string, like: string | null = null, password = PASSWORD) =>
      hasher.hashForAddress(password, NETWORK, address, like);
    const ada = await register('ada@example.com');
    expect(ada).toMatch(STORED);
    expect(await register('ada@example.com')).toBe(ada);
    expect(saltOf(await register('ada@example.com', null, 'another-one'))).toBe(saltOf(ada));
    expect(saltOf(await register('bob@example.com'))).not.toBe(saltOf(ada));
    const like = await hash();
    expect(await register('ada@example.com', like)).toBe(like);
    expect(await register('ada@example.com', 'unreadable')).toBe(ada);
  });

  it('made under the previous root secret fits, and is outdated', async () => {
    const before = await hash();
    expect(await rotated.verify(PASSWORD, NETWORK, before)).toEqual([true]);
    expect(await foreign.verify(PASSWORD, NETWORK, before)).toEqual([false]);
    expect(await rotated.hash(PASSWORD, NETWORK, before)).toBe(before);
    expect([hasher, rotated, foreign].map((by) => by.isOutdated(before))).toEqual([false, true, true]);
    expect(rotated.isOutdated(await hash(PASSWORD, null, rotated))).toBe(false);
  });

  it('is outdated with another cost, and if it is missing or of another form', async () => {
    const stored = await hash();
    expect(create(new KeyDerivation(OLD), 5).isOutdated(stored)).toBe(true);
    for (const none of [null, '', 'hash']) expect(hasher.isOutdated(none)).toBe(true);
    expect(hasher.isOutdated(`v2${stored.slice(2)}`)).toBe(true);
  });
});

it('Passwords beyond those that can wait are refused, and counted', async () => {
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => hash()));
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect(refused.length).toBeGreaterThanOrEqual(100 - 64 - 4);
  expect(refused.length).toBeLessThan(100 - 64);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 3 });
  expect(await metrics.show()).toMatch(
    new RegExp(`^gatehouse_hashing_refusals_total ${refused.length}$`, 'm'),
  );
});
