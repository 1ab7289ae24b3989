import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { ulid } from 'ulid';
import { SignedXml } from 'xml-crypto';
import { selfSigned } from '../../src/external-identity/providers/saml/saml-certificate.ts';

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Content of an answer; null leaves an attribute or element out. */
interface Words {
  readonly responseId: string;
  readonly assertionId: string;
  readonly responseIssuer: string | null;
  readonly issuer: string | null;
  readonly destination: string | null;
  readonly inResponseTo: string | null;
  readonly responseIssued: string | null;
  readonly status: string;
  readonly issued: string | null;
  readonly nameId: string;
  readonly nameIdAttributes: string;
  readonly method: string;
  readonly recipient: string | null;
  readonly confirmationNotBefore: string | null;
  readonly confirmationUntil: string | null;
  readonly confirmationInResponseTo: string | null;
  readonly notBefore: string | null;
  readonly notOnOrAfter: string | null;
  readonly audience: string | null;
  readonly authnInstant: string | null;
  readonly attributes: Readonly<Record<string, string>>;
}

/** How an answer is signed. */
interface Signing {
  readonly key: KeyObject;
  /** Put into KeyInfo. */
  readonly certificate: string;
  readonly assertion: boolean;
  readonly response: boolean;
  readonly algorithm: string;
  readonly digest: string;
  readonly transforms: readonly string[];
  readonly canonicalization: string;
  /** In the PrefixList of the SignedInfo and of what it signs. */
  readonly prefixes: readonly string[];
}

type Edit = (xml: string) => string;

/**
 * Deviations of an attacker, or of a careless provider. Omitted properties mean correct behaviour.
 */
export interface Twist {
  readonly words?: Partial<Words>;
  readonly sign?: Partial<Signing>;
  /** Changes the answer before it is signed. */
  readonly before?: Edit;
  /** Changes the answer after it is signed. */
  readonly after?: Edit;
  /** Encodes in place of base64. */
  readonly encode?: (xml: string) => string;
}

/** The service's request, as the browser brings it. */
interface Request {
  readonly id: string;
  readonly xml: string;
  readonly consumer: string;
  readonly relayState: string;
}

/** A key pair and its certificate. */
export class LabKey {
  readonly privateKey: KeyObject;
  readonly certificate: string;

  constructor(name: string) {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    this.privateKey = pair.privateKey;
    this.certificate = selfSigned(name, pair, new Date(), new Date(Date.now() + 86_400_000));
  }
}

/**
 * An identity provider that signs its answers, honestly or not. Needs no server: all messages pass
 * through the browser.
 */
export class SamlStandIn {
  readonly issuer = 'https://idp.example.com/saml';
  readonly entryPoint = 'https://idp.example.com/sso?tenant=lab';
  readonly key = new LabKey('Lab');

  /** What the settings of the service need to know. */
  get settings(): Record<string, string> {
    return {
      EXTERNAL_SAML_ENTRY_POINT: this.entryPoint,
      EXTERNAL_SAML_IDP_ISSUER: this.issuer,
      EXTERNAL_SAML_IDP_CERT: this.key.certificate,
    };
  }

  /**
   * Reads the request that a browser brings, and verifies its signature (SAML Bindings 3.4.4.1).
   */
  read(authorizationUrl: string, serviceCertificate: string): Request & { readonly signed: boolean } {
    const { searchParams: asked, search } = new URL(authorizationUrl);
    const signedText = ['SAMLRequest', 'RelayState', 'SigAlg']
      .map((name) => new RegExp(`[?&](${name}=[^&]*)`).exec(search)?.[1])
      .join('&');
    return {
      ...requestIn(authorizationUrl),
      signed:
        asked.get('SigAlg') === RSA_SHA256 &&
        verify(
          'sha256',
          Buffer.from(signedText),
          createPublicKey(serviceCertificate),
          Buffer.from(asked.get('Signature') ?? '', 'base64'),
        ),
    };
  }

  /**
   * Reads the request that a form of the service's page posts, and verifies the signature of its
   * XML (SAML Bindings 3.5.4).
   * @throws {Error} unless the form is for the entry point and signed by the key of the certificate
   */
  readForm(page: string, serviceCertificate: string): Request {
    const action = unescaped(/<form method="post" action="([^"]*)">/.exec(page)?.[1] ?? '');
    if (action !== this.entryPoint) throw new Error(`The form is for ${action}.`);
    const fields = Object.fromEntries(
      [...page.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        unescaped(value ?? ''),
      ]),
    );
    const xml = Buffer.from(fields['SAMLRequest'] ?? '', 'base64').toString();
    const signature = /<Signature xmlns="http:\/\/www.w3.org\/2000\/09\/xmldsig#">[^]*<\/Signature>/.exec(
      xml,
    );
    const verifier = new SignedXml({ publicCert: serviceCertificate, getCertFromKeyInfo: () => null });
    verifier.loadSignature(signature?.[0] ?? '');
    if (!verifier.checkSignature(xml)) throw new Error('The request does not verify.');
    const [signed = ''] = verifier.getSignedReferences();
    return requestOf(signed, fields['RelayState'] ?? '');
  }

  /**
   * The form that the browser posts.
   * @param asked address with the request, or the request of a form
   */
  answer(
    asked: string | Request,
    nameId: string,
    { words, sign, before = same, after = same, encode = base64 }: Twist = {},
  ): { SAMLResponse: string; RelayState: string } {
    const request = typeof asked === 'string' ? requestIn(asked) : asked;
    const told = { ...this.wordsFor(request, nameId), ...words };
    const xml = after(this.sign(before(responseOf(told)), { ...sign }));
    return { SAMLResponse: encode(xml), RelayState: request.relayState };
  }

  private wordsFor({ xml, id, consumer }: Request, nameId: string): Words {
    return {
      responseId: `_${ulid()}`,
      assertionId: `_${ulid()}`,
      responseIssuer: this.issuer,
      issuer: this.issuer,
      destination: consumer,
      inResponseTo: id,
      responseIssued: inSeconds(0),
      status: 'Success',
      issued: inSeconds(0),
      nameId,
      nameIdAttributes: 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"',
      method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      recipient: consumer,
      confirmationNotBefore: null,
      confirmationUntil: inSeconds(240),
      confirmationInResponseTo: id,
      notBefore: inSeconds(-30),
      notOnOrAfter: inSeconds(240),
      audience: /<saml:Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '',
      authnInstant: inSeconds(-5),
      attributes: {},
    };
  }

  private sign(xml: string, changes: Partial<Signing>): string {
    const signing: Signing = {
      key: this.key.privateKey,
      certificate: this.key.certificate,
      assertion: true,
      response: false,
      algorithm: RSA_SHA256,
      digest: SHA256,
      transforms: [ENVELOPED, EXCLUSIVE],
      canonicalization: EXCLUSIVE,
      prefixes: [],
      ...changes,
    };
    const inner = signing.assertion ? signElement(xml, 'Assertion', signing) : xml;
    return signing.response ? signElement(inner, 'Response', signing) : inner;
  }
}

/** Returns the request in the address to which a browser is sent (SAML Bindings 3.4.4). */
export function requestIn(authorizationUrl: string): Request {
  const asked = new URL(authorizationUrl).searchParams;
  const xml = inflateRawSync(Buffer.from(asked.get('SAMLRequest') ?? '', 'base64')).toString();
  return requestOf(xml, asked.get('RelayState') ?? '');
}

function requestOf(xml: string, relayState: string): Request {
  return {
    id: / ID="([^"]*)"/.exec(xml)?.[1] ?? '',
    xml,
    consumer: / AssertionConsumerServiceURL="([^"]*)"/.exec(xml)?.[1] ?? '',
    relayState,
  };
}

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** Returns a time in the format of SAML. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString();
}

export function base64(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

const same: Edit = (xml) => xml;

function signElement(xml: string, name: string, signing: Signing): string {
  const signer = new SignedXml({
    privateKey: signing.key.export({ type: 'pkcs8', format: 'pem' }), // RSASSA-PSS takes no KeyObject
    publicCert: signing.certificate,
    signatureAlgorithm: signing.algorithm,
    canonicalizationAlgorithm: signing.canonicalization,
    inclusiveNamespacesPrefixList: [...signing.prefixes],
  });
  const path = `//*[local-name()='${name}']`;
  signer.addReference({
    xpath: path,
    digestAlgorithm: signing.digest,
    transforms: [...signing.transforms],
    inclusiveNamespacesPrefixList: [...signing.prefixes],
  });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${path}/*[local-name()='Issuer']`, action: 'after' },
  });
  return signer.getSignedXml();
}

function responseOf(words: Words): string {
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${words.responseId}" Version="2.0"` +
    `${attribute('IssueInstant', words.responseIssued)}${attribute('Destination', words.destination)}${attribute('InResponseTo', words.inResponseTo)}>` +
    `${element('Issuer', words.responseIssuer)}` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${words.status}"/></samlp:Status>` +
    `${assertionOf(words)}</samlp:Response>`
  );
}

function assertionOf(words: Words): string {
  const restriction =
    words.audience === null
      ? ''
      : `<saml:AudienceRestriction>${element('Audience', words.audience)}</saml:AudienceRestriction>`;
  const attributes = Object.entries(words.attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  );
  return (
    `<saml:Assertion ID="${words.assertionId}" Version="2.0"${attribute('IssueInstant', words.issued)}>${element('Issuer', words.issuer)}` +
    `<saml:Subject><saml:NameID ${words.nameIdAttributes}>${words.nameId}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${words.method}"><saml:SubjectConfirmationData${attribute('Recipient', words.recipient)}` +
    `${attribute('NotBefore', words.confirmationNotBefore)}${attribute('NotOnOrAfter', words.confirmationUntil)}` +
    `${attribute('InResponseTo', words.confirmationInResponseTo)}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions${attribute('NotBefore', words.notBefore)}${attribute('NotOnOrAfter', words.notOnOrAfter)}>${restriction}</saml:Conditions>` +
    `<saml:AuthnStatement${attribute('AuthnInstant', words.authnInstant)} SessionIndex="_s1"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `${attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`
  );
}

function attribute(name: string, value: string | null): string {
  return value === null ? '' : ` ${name}="${value}"`;
}

function element(name: string, text: string | null): string {
  return text === null ? '' : `<saml:${name}>${text}</saml:${name}>`;
}
