import { base64, inSeconds, LabKey, type Twist } from './saml-stand-in.ts';
import { WRAPPINGS } from './saml-wrapping.ts';

const attacker = new LabKey('Attacker');
const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const RSA_PSS = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1';
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const FOREIGN = 'https://evil.example/callback';
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
const LEVELS = 40;

const replaced =
  (what: string | RegExp, by: string) =>
  (xml: string): string => {
    if (xml.replace(what, '') === xml) throw new Error('The attack does not find what it changes.');
    return xml.replace(what, () => by);
  };
/** A response that reports a failed sign-in. */
export const withoutAssertion = replaced(/<saml:Assertion .*<\/saml:Assertion>/s, '');
const beforeEnd = (of: string, what: string) => replaced(`</${of}>`, `${what}</${of}>`);
const attribute = (name: string, value: string): string =>
  `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`;
const statement = (...attributes: string[]) =>
  beforeEnd('saml:Assertion', `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`);
const truncated = (separator: string): Twist => ({
  words: { nameId: 'admin.evil.example' },
  after: replaced('admin.evil.example', `admin${separator}.evil.example`),
});
const doctype = (subset: string): Twist => ({
  after: (xml) => `<!DOCTYPE samlp:Response [${subset}]>${xml}`,
});

/** Name of each attack, the requirement that refuses it, and how it is made. */
export const ATTACKS: Readonly<Record<string, readonly [check: string, twist: Twist]>> = {
  // Wrapping: SAML-1, SAML-3
  ...Object.fromEntries(
    Object.entries(WRAPPINGS).map(([name, after]) => [
      name,
      ['SAML-3', { after, ...(/[12]$/.test(name) && { sign: { assertion: false, response: true } }) }],
    ]),
  ),
  'the assertion twice': [
    'SAML-3',
    { after: (xml) => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, (all) => all + all) },
  ],
  'an assertion in Advice': [
    'SAML-3',
    {
      before: replaced(
        '<saml:AuthnStatement',
        '<saml:Advice><saml:Assertion ID="_x"/></saml:Advice><saml:AuthnStatement',
      ),
      sign: { assertion: false, response: true },
    },
  ],
  'an assertion of no namespace': ['SAML-3', { after: beforeEnd('samlp:Response', '<Assertion xmlns=""/>') }],
  'the assertion not where it belongs': [
    'SAML-3',
    {
      after: (xml) =>
        xml.replace(
          /<saml:Assertion .*<\/saml:Assertion>/s,
          (all) => `<samlp:Extensions>${all}</samlp:Extensions>`,
        ),
    },
  ],
  'the response twice': ['SAML-3', { after: (xml) => xml + xml }],
  'a response in the response': ['SAML-3', { after: beforeEnd('samlp:Response', '<samlp:Response/>') }],
  'an assertion alone': [
    'SAML-3',
    {
      after: (xml) =>
        (/<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? '').replace(
          '<saml:Assertion ',
          '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ',
        ),
    },
  ],
  'an ID twice': ['SAML-3', { words: { responseId: '_same', assertionId: '_same' } }],
  'an ID twice, by attributes of different names': [
    'SAML-3',
    { words: { assertionId: '_same' }, after: beforeEnd('samlp:Response', '<x Id="_same"/>') },
  ],
  'an ID twice, once as xml:id': [
    'SAML-3',
    { words: { assertionId: '_same' }, after: beforeEnd('samlp:Response', '<x xml:id="_same"/>') },
  ],

  // What parsers disagree about: SAML-3
  'a comment in the NameID': ['SAML-3', truncated('<!---->')],
  'a processing instruction in the NameID': ['SAML-3', truncated('<?x y?>')],
  'CDATA in the NameID': ['SAML-3', truncated('<![CDATA[]]>')],
  'a comment that was signed': ['SAML-3', { before: replaced('</saml:NameID>', '<!---->x</saml:NameID>') }],
  'a comment in the digest': [
    'SAML-3',
    { after: replaced('</ds:DigestValue>', '<!--x--></ds:DigestValue>') },
  ],
  'a DOCTYPE': ['SAML-3', doctype('')],
  'an entity': ['SAML-3', doctype('<!ENTITY e "admin">')],
  'an external entity': ['SAML-3', doctype('<!ENTITY e SYSTEM "file:///etc/passwd">')],
  'an entity bomb': [
    'SAML-3',
    doctype(
      `<!ENTITY a "aaaaaaaaaa">${[...'bcdefgh'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefg'[at]};`.repeat(10)}">`).join('')}`,
    ),
  ],
  'an undeclared entity': ['SAML-3', { after: replaced('</saml:NameID>', '&nbsp;</saml:NameID>') }],
  'a stylesheet': ['SAML-3', { after: (xml) => `<?xml-stylesheet href="x"?>${xml}` }],
  'XML 1.1': ['SAML-3', { after: (xml) => `<?xml version="1.1"?>${xml}` }],
  'another encoding': ['SAML-3', { after: (xml) => `<?xml version="1.0" encoding="utf-7"?>${xml}` }],
  'bytes that are not UTF-8': [
    'SAML-3',
    { encode: (xml) => Buffer.concat([Buffer.from(xml), Buffer.from([0xc3])]).toString('base64') },
  ],
  'a NUL': ['SAML-3', { after: replaced('</saml:NameID>', '\u0000</saml:NameID>') }],
  'text after it': ['SAML-3', { after: (xml) => `${xml}trailing` }],
  'text before it': ['SAML-3', { after: (xml) => `leading${xml}` }],
  'an element after it': ['SAML-3', { after: (xml) => `${xml}<x/>` }],
  'an attribute twice': ['SAML-3', { after: replaced(' Version="2.0"', ' Version="2.0" Version="2.0"') }],
  'a tag that does not close': ['SAML-3', { after: replaced('</saml:NameID>', '') }],
  'no XML at all': ['SAML-3', { encode: () => base64('admin') }],
  'no base64': ['SAML-3', { encode: (xml) => xml }],
  'base64 with something hidden': ['SAML-3', { encode: (xml) => `${base64(xml)}.${base64('<x/>')}` }],
  nothing: ['SAML-3', { encode: () => '' }],
  'too large': ['SAML-3', { before: statement(attribute('x', 'x'.repeat(256 * 1024))) }],
  'too deep': [
    'SAML-3',
    { before: statement(attribute('x', `${'<x>'.repeat(LEVELS)}${'</x>'.repeat(LEVELS)}`)) },
  ],
  'far too deep': [
    'SAML-3',
    { after: beforeEnd('samlp:Response', `${'<x>'.repeat(4_000)}${'</x>'.repeat(4_000)}`) },
  ],
  'too many elements': ['SAML-3', { after: beforeEnd('samlp:Response', '<x/>'.repeat(2_000)) }],
  'too many attributes': [
    'SAML-3',
    {
      after: beforeEnd(
        'samlp:Response',
        `<x ${Array.from({ length: 5_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
      ),
    },
  ],

  // Signatures: SAML-1, SAML-4, SAML-5
  'no signature': ['SAML-1', { sign: { assertion: false } }],
  'only the response signed': ['SAML-1', { sign: { assertion: false, response: true } }],
  'a signature by another key': ['SAML-1', { sign: { key: attacker.privateKey } }],
  'a signature by another key, with its certificate': [
    'SAML-1',
    { sign: { key: attacker.privateKey, certificate: attacker.certificate } },
  ],
  'a valid assertion in a response signed by another key': [
    'SAML-1',
    {
      sign: { response: true },
      after: (xml) =>
        xml.replace(/<ds:SignatureValue>./, (all) => `${all.slice(0, -1)}${all.endsWith('A') ? 'B' : 'A'}`),
    },
  ],
  'another NameID than was signed': [
    'SAML-1',
    { words: { nameId: 'person' }, after: replaced('>person<', '>admin<') },
  ],
  'another digest than was signed': [
    'SAML-1',
    { after: replaced(/<ds:DigestValue>[^<]*/, `<ds:DigestValue>${base64('x'.repeat(32))}`) },
  ],
  'a signature of nothing': [
    'SAML-1',
    { after: replaced(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>') },
  ],
  'a signature of another length': [
    'SAML-1',
    { after: replaced(/<ds:SignatureValue>[^<]*/, `<ds:SignatureValue>${base64('x'.repeat(512))}`) },
  ],
  'a signature of another method than it says': [
    'SAML-1',
    { after: replaced(/(?<=SignatureMethod Algorithm=")[^"]*/, RSA_PSS) },
  ],
  'the signature of an assertion in another place': [
    'SAML-1',
    {
      after: (xml) => {
        const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(xml)?.[0] ?? '';
        return xml.replace(signature, '').replace('</samlp:Response>', `${signature}</samlp:Response>`);
      },
    },
  ],
  'two signatures': [
    'SAML-1',
    { after: (xml) => xml.replace(/<ds:Signature .*<\/ds:Signature>/s, (all) => all + all) },
  ],
  'two SignedInfo': [
    'SAML-1',
    { after: (xml) => xml.replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, (all) => all + all) },
  ],
  'two References': [
    'SAML-1',
    { after: (xml) => xml.replace(/<ds:Reference .*<\/ds:Reference>/s, (all) => all + all) },
  ],
  'a Reference to everything': ['SAML-1', { after: replaced(/ URI="[^"]*"/, ' URI=""') }],
  'a Reference to something else': ['SAML-1', { after: replaced(/ URI="[^"]*"/, ' URI="#_other"') }],
  'a transform of another kind': [
    'SAML-1',
    { sign: { transforms: [ENVELOPED, `${EXCLUSIVE}WithComments`] } },
  ],
  'no transform that takes the signature out': ['SAML-1', { sign: { transforms: [EXCLUSIVE] } }],
  'another canonicalisation': ['SAML-1', { sign: { canonicalization: INCLUSIVE } }],
  'an RSA-SHA1 signature': ['SAML-4', { sign: { algorithm: RSA_SHA1 } }],
  'a SHA-1 digest': ['SAML-4', { sign: { digest: SHA1 } }],
  'a signature by a shared secret': [
    'SAML-4',
    {
      after: replaced(/(?<=SignatureMethod Algorithm=")[^"]*/, 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
    },
  ],
  'a signature of MD5': [
    'SAML-4',
    {
      after: replaced(
        /(?<=SignatureMethod Algorithm=")[^"]*/,
        'http://www.w3.org/2001/04/xmldsig-more#rsa-md5',
      ),
    },
  ],

  // Whose it is, and for whom: SAML-6, SAML-7, SAML-8, SAML-10
  'a response of another issuer': ['SAML-6', { words: { responseIssuer: 'https://evil.example' } }],
  'an assertion of another issuer': ['SAML-6', { words: { issuer: 'https://evil.example' } }],
  'no issuer of the response': ['SAML-6', { words: { responseIssuer: null } }],
  'an issuer with a space more': ['SAML-6', { words: { issuer: 'https://idp.example.com/saml ' } }],
  'an issuer in part': ['SAML-6', { words: { issuer: 'https://idp.example.com/saml/other' } }],
  'another Destination': ['SAML-7', { words: { destination: FOREIGN } }],
  'no Destination': ['SAML-7', { words: { destination: null } }],
  'another Recipient': ['SAML-7', { words: { recipient: FOREIGN } }],
  'no Recipient': ['SAML-7', { words: { recipient: null } }],
  'a Recipient with a query': [
    'SAML-7',
    { words: { recipient: 'http://gatehouse.test/api/iam/auth/external/saml/callback?x' } },
  ],
  'a confirmation by holder of key': [
    'SAML-8',
    { words: { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' } },
  ],
  'a confirmation by sender vouches': [
    'SAML-8',
    { words: { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' } },
  ],
  'no confirmation': [
    'SAML-8',
    { before: replaced(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/s, '') },
  ],
  'a confirmation without data': ['SAML-8', { before: replaced(/<saml:SubjectConfirmationData [^>]*>/, '') }],
  'two confirmations': [
    'SAML-8',
    {
      before: (xml) =>
        xml.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/s, (all) => all + all),
    },
  ],
  'a confirmation with NotBefore': ['SAML-8', { words: { confirmationNotBefore: inSeconds(-60) } }],
  'a confirmation without end': ['SAML-8', { words: { confirmationUntil: null } }],
  'a response to another request': ['SAML-10', { words: { inResponseTo: '_other' } }],
  'a response to no request': ['SAML-10', { words: { inResponseTo: null } }],
  'an assertion for another request': ['SAML-10', { words: { confirmationInResponseTo: '_other' } }],
  'an assertion for no request': ['SAML-10', { words: { confirmationInResponseTo: null } }],
  'an unsolicited answer': ['SAML-10', { words: { inResponseTo: null, confirmationInResponseTo: null } }],

  // When and under which conditions: SAML-9
  'no conditions': ['SAML-9', { before: replaced(/<saml:Conditions.*<\/saml:Conditions>/s, '') }],
  'conditions twice': [
    'SAML-9',
    { before: (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/s, (all) => all + all) },
  ],
  'an unknown condition': ['SAML-9', { before: beforeEnd('saml:Conditions', '<saml:Condition/>') }],
  'no audience': ['SAML-9', { words: { audience: null } }],
  'another audience': ['SAML-9', { words: { audience: 'https://other.example' } }],
  'two audience restrictions, one of them for others': [
    'SAML-9',
    {
      before: beforeEnd(
        'saml:Conditions',
        '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>',
      ),
    },
  ],
  'conditions without end': ['SAML-9', { words: { notOnOrAfter: null } }],
  'conditions that begin later': ['SAML-9', { words: { notBefore: inSeconds(86_400) } }],
  'conditions that have ended': ['SAML-9', { words: { notOnOrAfter: inSeconds(-70) } }],
  'a confirmation that has ended': ['SAML-8', { words: { confirmationUntil: inSeconds(-70) } }],
  'an assertion of the future': ['SAML-9', { words: { issued: inSeconds(86_400) } }],
  'an assertion that is too old': ['SAML-9', { words: { issued: inSeconds(-370) } }],
  'an assertion of no time': ['SAML-9', { words: { issued: null } }],
  'a response of the future': ['SAML-9', { words: { responseIssued: inSeconds(86_400) } }],
  'a response that is too old': ['SAML-9', { words: { responseIssued: inSeconds(-370) } }],
  'a time in another form': ['SAML-9', { words: { notOnOrAfter: 'Fri, 31 Dec 2199 23:59:59 GMT' } }],
  'a time with an offset': ['SAML-9', { words: { notOnOrAfter: '2199-12-31T23:59:59+01:00' } }],
  'no authentication': ['SAML-9', { before: replaced(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/s, '') }],
  'an authentication of the future': ['SAML-9', { words: { authnInstant: inSeconds(86_400) } }],
  'a session that is over': [
    'SAML-9',
    { before: replaced(' SessionIndex="_s1"', ` SessionNotOnOrAfter="${inSeconds(-120)}"`) },
  ],
  'another version of the assertion': [
    'SAML-9',
    { before: (xml) => xml.replace(/(<saml:Assertion ID="[^"]*" Version=")2.0/, '$11.1') },
  ],
  'another version of the response': ['SAML-9', { before: replaced(' Version="2.0"', ' Version="1.1"') }],
  'no status': ['SAML-9', { before: replaced(/<samlp:Status>.*<\/samlp:Status>/s, '') }],
  'success without an assertion': ['SAML-2', { before: withoutAssertion, sign: { assertion: false } }],

  // Encryption, which is not offered: SAML-12
  'an encrypted assertion': [
    'SAML-12',
    {
      after: replaced(
        /<saml:Assertion .*<\/saml:Assertion>/s,
        '<saml:EncryptedAssertion><x/></saml:EncryptedAssertion>',
      ),
    },
  ],
  'an encrypted assertion beside a clear one': [
    'SAML-12',
    { after: beforeEnd('samlp:Response', '<saml:EncryptedAssertion/>') },
  ],
  'an encrypted name': [
    'SAML-12',
    { before: replaced(/<saml:NameID .*<\/saml:NameID>/s, '<saml:EncryptedID/>') },
  ],

  // Who it is: SAML-13
  'a transient NameID': [
    'SAML-13',
    { words: { nameIdAttributes: 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient"' } },
  ],
  'two NameIDs': [
    'SAML-13',
    { before: (xml) => xml.replace(/<saml:NameID .*<\/saml:NameID>/s, (all) => all + all) },
  ],
  'no NameID': ['SAML-13', { before: replaced(/<saml:NameID .*<\/saml:NameID>/s, '') }],
  'an empty NameID': ['SAML-13', { words: { nameId: '' } }],
  'a NameID of spaces': ['SAML-13', { words: { nameId: '  ' } }],
  'a NameID with an element in it': ['SAML-13', { words: { nameId: 'ad<x/>min' } }],
  'a NameID with a line end': ['SAML-13', { words: { nameId: 'admin&#10;' } }],
  'a NameID that is too long': ['SAML-13', { words: { nameId: 'x'.repeat(257) } }],
  'a NameID of another name space': [
    'SAML-13',
    { words: { nameIdAttributes: 'NameQualifier="https://upstream.example"' } },
  ],
  'a NameID for another service': [
    'SAML-13',
    { words: { nameIdAttributes: 'SPNameQualifier="https://other.example"' } },
  ],
  'a subject by BaseID as well': [
    'SAML-13',
    { before: replaced('<saml:SubjectConfirmation ', '<saml:BaseID/><saml:SubjectConfirmation ') },
  ],
  'an attribute twice by name': [
    'SAML-13',
    { before: statement(attribute('email', 'a@example.com'), attribute('email', 'b@example.com')) },
  ],
  'an attribute twice in two statements': [
    'SAML-13',
    {
      before: (xml) =>
        statement(attribute('email', 'b@example.com'))(statement(attribute('email', 'a@example.com'))(xml)),
    },
  ],
};

/** Responses that report a failed sign-in, and the error code for the returning page. */
export const FAILURES: Readonly<Record<string, readonly [error: string, twist: Twist]>> = {
  'the person did not want to': [
    'access_denied',
    {
      before: replaced(
        `<samlp:StatusCode Value="${STATUS}Success"/>`,
        `<samlp:StatusCode Value="${STATUS}Responder"><samlp:StatusCode Value="${STATUS}AuthnFailed"/></samlp:StatusCode>`,
      ),
    },
  ],
  'the provider is in trouble': ['invalid_response', { words: { status: 'Responder' } }],
};
