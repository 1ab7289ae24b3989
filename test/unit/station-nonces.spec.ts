import { randomBytes } from 'node:crypto';
import { StationNonces } from '../../src/frontline/stations/station-nonces.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import { Secret } from '../../src/platform/config/index.js';

const STATION = '01K3V9D7Q8Z4X5N6M7P8R9S0T5';

describe('Nonces of stations', () => {
  const secrets = [new Secret(randomBytes(32)), new Secret(randomBytes(32))];
  const noncesOf = (...numbers: number[]) =>
    new StationNonces(
      new KeyDerivation(...(numbers.map((n) => secrets[n]!) as [Secret<Buffer>, ...Secret<Buffer>[]])),
    );
  afterEach(() => jest.restoreAllMocks());
  const at = (seconds: number) => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + seconds * 1_000);
  };

  it('are accepted for two minutes, either way, for their station only', () => {
    const nonces = noncesOf(0);
    const nonce = nonces.create(STATION);
    expect(nonces.accepts(STATION, nonce)).toBe(true);
    expect(nonces.accepts('01K3V9D7Q8Z4X5N6M7P8R9S0T6', nonce)).toBe(false);
    for (const [seconds, isAccepted] of [
      [118, true],
      [122, false],
      [-118, true],
      [-122, false],
    ] as const) {
      at(seconds);
      expect([seconds, nonces.accepts(STATION, nonce)]).toEqual([seconds, isAccepted]);
      jest.restoreAllMocks();
    }
  });

  it('are not forged, nor changed', () => {
    const nonces = noncesOf(0);
    const [seconds, random, mac] = nonces.create(STATION).split('.') as [string, string, string];
    const changed = [
      '',
      'none',
      `${seconds}.${random}`,
      `${Number(seconds) + 1}.${random}.${mac}`,
      `${seconds}.${random.toUpperCase()}.${mac}`,
      `${seconds}.${random}.${'A'.repeat(43)}`,
      `x${seconds}.${random}.${mac}`,
      `${seconds}.${random}.${mac}x`,
    ];
    for (const one of changed) expect([one, nonces.accepts(STATION, one)]).toEqual([one, false]);
  });

  it('of the secret before are accepted after a rotation, and no others', () => {
    const nonce = noncesOf(0).create(STATION);
    expect(noncesOf(1, 0).accepts(STATION, nonce)).toBe(true);
    expect(noncesOf(1).accepts(STATION, nonce)).toBe(false);
  });
});
