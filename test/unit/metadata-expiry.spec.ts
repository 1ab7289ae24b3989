import { hasExpiredMetadata } from '../../src/connection/metadata/metadata-expiry.js';

describe('Metadata of a provider', () => {
  const now = Date.parse('2026-11-30T12:00:00.000Z');

  it.each([
    ['has no end', null, false],
    ['ends later', '2026-11-30T12:00:00.001Z', false],
    ['ends now', '2026-11-30T12:00:00.000Z', true],
    ['has ended', '2026-11-30T11:59:59.000Z', true],
    ['has an end that is no time', 'soon', true],
  ])('that %s', (_, metadataValidUntil, expected) => {
    expect(hasExpiredMetadata({ metadataValidUntil }, now)).toBe(expected);
  });
});
