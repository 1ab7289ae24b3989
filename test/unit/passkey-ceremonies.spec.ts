/** @service separate */
import { Ceremonies, type CeremonyUse } from '../../src/authenticator/passkeys/ceremonies.js';
import type { SpentCeremonyRepository } from '../../src/authenticator/passkeys/spent-ceremony.repository.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import { Secret } from '../../src/platform/config/secret.js';

const NOW = Date.UTC(2026, 10, 24, 12);
const [OLD, NEW] = [new Secret(Buffer.alloc(32, 1)), new Secret(Buffer.alloc(32, 2))];
const UNUSED = {} as SpentCeremonyRepository; // to begin and to verify one reads and writes nothing
const ceremonies = new Ceremonies(UNUSED, new KeyDerivation(OLD));
const USE: CeremonyUse = { purpose: 'step-up', binding: 'person|session' };
const invalid = expect.objectContaining({ code: 'validation-error' }) as Error;

describe('A ceremony of a passkey', () => {
  beforeEach(() => jest.useFakeTimers({ now: NOW }));
  afterEach(() => jest.useRealTimers());

  it('is valid for its use, with the challenge that was to be signed', () => {
    const { ceremony, challenge } = ceremonies.begin(USE);
    expect(ceremonies.open(ceremony, USE)).toMatchObject({ challenge });
    expect(ceremony).not.toContain(challenge);
    expect(ceremonies.begin(USE)).not.toMatchObject({ challenge });
  });

  it.each<[string, CeremonyUse]>([
    ['purpose', { ...USE, purpose: 'registration' }],
    ['person', { ...USE, binding: 'other|session' }],
    ['session', { ...USE, binding: 'person|other' }],
  ])('is invalid for another %s', (_, use) => {
    const { ceremony } = ceremonies.begin(USE);
    expect(() => ceremonies.open(ceremony, use)).toThrow(invalid);
  });

  it('is invalid after five minutes, also with a later expiry', () => {
    const { ceremony } = ceremonies.begin(USE);
    jest.setSystemTime(NOW + 299_000);
    expect(ceremonies.open(ceremony, USE).flowId).toHaveLength(16);
    jest.setSystemTime(NOW + 300_000);
    expect(() => ceremonies.open(ceremony, USE)).toThrow(invalid);
    const [flow = '', expiry = '', tag = ''] = ceremony.split('.');
    const later = `${flow}.${Number(expiry) + 60}.${tag}`;
    expect(() => ceremonies.open(later, USE)).toThrow(invalid);
  });

  it('is invalid in any other spelling', () => {
    const { ceremony } = ceremonies.begin(USE);
    for (const forged of [
      '',
      '..',
      `${ceremony}A`,
      ` ${ceremony}`,
      ceremony.slice(0, -1),
      `A${ceremony.slice(1)}A`,
    ])
      expect(() => ceremonies.open(forged, USE)).toThrow(invalid);
  });

  it('survives one change of the root secret', () => {
    const { ceremony, challenge } = ceremonies.begin(USE);
    const rotated = new Ceremonies(UNUSED, new KeyDerivation(NEW, OLD));
    expect(rotated.open(ceremony, USE)).toMatchObject({ challenge });
    const foreign = new Ceremonies(UNUSED, new KeyDerivation(NEW));
    expect(() => foreign.open(ceremony, USE)).toThrow(invalid);
  });
});
