import bcrypt from 'bcrypt';
import { PinHasher } from '../../src/frontline/workers/pin-hasher.js';
import { PasswordHasher } from '../../src/iam/accounts/credentials/password-hasher.js';
import type { UserId } from '../../src/kernel/index.js';
import { Secret, type Settings } from '../../src/platform/config/index.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import { Metrics } from '../../src/platform/observability/index.js';

const OLD = new Secret(Buffer.alloc(32, 1));
const NEW = new Secret(Buffer.alloc(32, 2));
const NETWORK = '203.0.113.7';
const PIN = '705318';
const ADA = '01K3V9D7Q8Z4X5N6M7P8R9S0T5' as UserId;
const GRACE = '01K3V9D7Q8Z4X5N6M7P8R9S0T6' as UserId;

function hasherOf(...secrets: [Secret<Buffer>, ...Secret<Buffer>[]]): PinHasher {
  const keys = new KeyDerivation(...secrets);
  const settings = { BCRYPT_COST: 4, WORKERS: 1 } as Settings;
  return new PinHasher(keys, new PasswordHasher(keys, settings, new Metrics()));
}
const hasher = hasherOf(OLD);
const fits = (stored: string | null, { by = hasher, of = ADA, pin = PIN } = {}) =>
  by.verify(of, pin, stored, NETWORK);

describe('The stored form of a PIN', () => {
  afterEach(() => jest.restoreAllMocks());

  it('fits this PIN of this person only', async () => {
    const stored = await hasher.hash(ADA, PIN, NETWORK);
    expect(stored).toMatch(/^p1\$[0-9a-f]{8}\$\$2b\$08\$.{53}$/);
    expect(await hasher.hash(ADA, PIN, NETWORK)).not.toBe(stored);
    expect(await fits(stored)).toBe(true);
    expect(await fits(stored, { pin: '705319' })).toBe(false);
    expect(await fits(stored, { of: GRACE })).toBe(false);
  });

  it('fits by the key that it names, as long as the service has it', async () => {
    const stored = await hasher.hash(ADA, PIN, NETWORK);
    expect(await fits(stored, { by: hasherOf(NEW, OLD) })).toBe(true);
    expect(await fits(stored, { by: hasherOf(NEW) })).toBe(false);
    expect(await fits(stored.replace(/^p1\$.{8}/, 'p1$00000000'))).toBe(false);
  });

  it('costs one hash, also if there is none or it cannot be read', async () => {
    const stored = await hasher.hash(ADA, PIN, NETWORK);
    const hash = jest.spyOn(bcrypt, 'hash');
    for (const one of [stored, null, 'p1$none', stored.replace(/^p1\$.{8}/, 'p1$00000000')]) {
      hash.mockClear();
      expect(await fits(one)).toBe(one === stored);
      expect(hash.mock.calls.map(([, salt]) => String(salt).slice(0, 7))).toEqual(['$2b$08$']);
    }
  });
});
