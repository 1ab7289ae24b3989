import {
  checkIssued,
  checkWindow,
  MAX_AGE_MS,
  SKEW_MS,
} from '../../src/external-identity/providers/saml/checks/saml-times.js';

const NOW = Date.parse('2026-11-29T12:00:00Z');
const at = (time: number) => new Date(time).toISOString();
const issued = (time: number) => () => checkIssued(at(time), NOW, 'assertion');
const window = (from: number, until: number) => () => checkWindow(at(from), at(until), NOW, 'SAML-9');

describe('Times of SAML', () => {
  it('may differ by a minute of clock skew, and no more', () => {
    expect(SKEW_MS).toBe(60_000);
    expect(issued(NOW + SKEW_MS)()).toBe(NOW + SKEW_MS);
    expect(issued(NOW + SKEW_MS + 1)).toThrow('SAML-9: the assertion is of the future');
    expect(window(NOW + SKEW_MS, NOW + SKEW_MS)()).toBe(NOW + SKEW_MS);
    expect(window(NOW + SKEW_MS + 1, NOW + SKEW_MS)).toThrow('it is not valid yet');
    expect(window(NOW, NOW - SKEW_MS + 1)()).toBe(NOW - SKEW_MS + 1);
    expect(window(NOW, NOW - SKEW_MS)).toThrow('it is not valid any more');
  });

  it('of issue may be five minutes ago, and the skew', () => {
    expect(MAX_AGE_MS).toBe(300_000);
    expect(issued(NOW - SKEW_MS - MAX_AGE_MS + 1)()).toBe(NOW - SKEW_MS - MAX_AGE_MS + 1);
    expect(issued(NOW - SKEW_MS - MAX_AGE_MS)).toThrow('the assertion is too old');
  });

  it('need an end, no start, and are in UTC', () => {
    expect(checkWindow(null, at(NOW), NOW, 'SAML-9')).toBe(NOW);
    expect(() => checkWindow(at(NOW), null, NOW, 'SAML-9')).toThrow('NotOnOrAfter must be a time in UTC');
    for (const text of [null, '2026-11-29T12:00:00', '2026-11-29T12:00:00+00:00', '2026-13-29T12:00:00Z'])
      expect(() => checkIssued(text, NOW, 'assertion')).toThrow('must be a time in UTC');
  });
});
