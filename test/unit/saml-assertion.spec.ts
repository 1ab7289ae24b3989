import { checkAssertion } from '../../src/external-identity/providers/saml/checks/saml-assertion.js';
import { parseStrictly } from '../../src/external-identity/providers/saml/checks/saml-document.js';
import { SKEW_MS } from '../../src/external-identity/providers/saml/checks/saml-times.js';
import { readSubject } from '../../src/external-identity/providers/saml/checks/saml-subject.js';
import type { SamlConnection } from '../../src/external-identity/providers/saml/saml-connection.js';

const NOW = Date.parse('2026-11-29T12:00:00.000Z');
const CONNECTION = {
  idpIssuer: 'https://idp.example',
  entityId: 'https://sp.example',
  consumer: 'https://sp.example/acs',
  domains: ['example.com'],
} as unknown as SamlConnection;

/** What an assertion says, besides what is right in each. */
interface Words {
  /** Milliseconds from now. */
  readonly instant?: number;
  readonly index?: string;
}

function assertionOf({ instant = 0, index = '' }: Words) {
  const at = (ms: number) => new Date(NOW + ms).toISOString();
  const { root } = parseStrictly(
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0" IssueInstant="${at(0)}">` +
      `<saml:Issuer>${CONNECTION.idpIssuer}</saml:Issuer>` +
      `<saml:Subject><saml:NameID>ada</saml:NameID>` +
      `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
      `<saml:SubjectConfirmationData Recipient="${CONNECTION.consumer}" InResponseTo="_0" NotOnOrAfter="${at(60_000)}"/>` +
      `</saml:SubjectConfirmation></saml:Subject>` +
      `<saml:Conditions NotOnOrAfter="${at(60_000)}"><saml:AudienceRestriction><saml:Audience>${CONNECTION.entityId}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
      `<saml:AuthnStatement AuthnInstant="${at(instant)}"${index}/></saml:Assertion>`,
  );
  return root;
}

describe('An assertion', () => {
  const check = (instant: number) => checkAssertion(assertionOf({ instant }), CONNECTION, '_0', NOW);

  it('is of an authentication that the clocks may place in the future by their difference, no more', () => {
    expect(check(SKEW_MS).authenticatedAt).toBe(NOW + SKEW_MS);
    expect(check(-1).authenticatedAt).toBe(NOW - 1);
    expect(() => check(SKEW_MS + 1)).toThrow('the authentication is of the future');
  });

  it('names the session at the provider, for its logout, if it has one', () => {
    const nameId = { format: null, nameQualifier: null, spNameQualifier: null };
    expect(readSubject(assertionOf({}), CONNECTION).upstream).toEqual({ nameId });
    expect(readSubject(assertionOf({}), CONNECTION).upstream).not.toHaveProperty('sessionIndex');
    const named = readSubject(assertionOf({ index: ' SessionIndex="_s"' }), CONNECTION);
    expect(named.upstream).toEqual({ nameId, sessionIndex: '_s' });
  });
});
