import { sign, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ulid } from 'ulid';
import { SignedXml } from 'xml-crypto';
import { base64, inSeconds } from './saml-stand-in.ts';

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** What a request for a logout says. null leaves a part out. */
export interface LogoutWords {
  readonly id: string;
  readonly issuer: string;
  readonly destination: string | null;
  readonly issued: string;
  readonly until: string | null;
  readonly nameId: string;
  readonly nameIdAttributes: string;
  readonly indexes: readonly string[];
  /** Inserted before the end. */
  readonly more: string;
}

/** Text of a request for a logout (SAML Core 3.7.1). */
export function logoutRequest(words: Partial<LogoutWords> & Pick<LogoutWords, 'issuer' | 'nameId'>): string {
  const { id = `_${ulid()}`, issuer, destination = null, issued = inSeconds(0) } = words;
  const { until = inSeconds(120), nameId, nameIdAttributes = '', indexes = [], more = '' } = words;
  return (
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${issued}"` +
    `${destination === null ? '' : ` Destination="${destination}"`}${until === null ? '' : ` NotOnOrAfter="${until}"`}>` +
    `<saml:Issuer>${issuer}</saml:Issuer><saml:NameID ${nameIdAttributes}>${nameId}</saml:NameID>` +
    `${indexes.map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('')}${more}</samlp:LogoutRequest>`
  );
}

/** The query that carries a message by redirect, signed unless the key is null. */
export function redirected(xml: string, key: KeyObject | null, relayState?: string): string {
  const parameters = [
    `SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(relayState === undefined ? [] : [`RelayState=${encodeURIComponent(relayState)}`]),
    ...(key ? [`SigAlg=${encodeURIComponent(RSA_SHA256)}`] : []),
  ].join('&');
  if (!key) return `?${parameters}`;
  const signature = sign('sha256', Buffer.from(parameters), key).toString('base64');
  return `?${parameters}&Signature=${encodeURIComponent(signature)}`;
}

/** The form that carries a request, signed within unless the key is null. */
export function posted(xml: string, key: KeyObject | null, name = 'LogoutRequest'): Record<string, string> {
  if (!key) return { SAMLRequest: base64(xml) };
  const signer = new SignedXml({
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }),
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  const path = `/*[local-name()='${name}']`;
  signer.addReference({ xpath: path, digestAlgorithm: SHA256, transforms: [ENVELOPED, EXCLUSIVE] });
  signer.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${path}/*[local-name()='Issuer']`, action: 'after' },
  });
  return { SAMLRequest: base64(signer.getSignedXml()) };
}

/** A message in an address, and whether the key of the certificate has signed it. */
export function messageIn(
  address: string,
  name: 'SAMLRequest' | 'SAMLResponse',
  certificate: string,
): { readonly xml: string; readonly signed: boolean; readonly relayState: string | null } {
  const { search, searchParams } = new URL(address);
  const text = [name, 'RelayState', 'SigAlg']
    .flatMap((one) => new RegExp(`[?&](${one}=[^&]*)`).exec(search)?.[1] ?? [])
    .join('&');
  const { publicKey } = new X509Certificate(certificate);
  return {
    xml: inflateRawSync(Buffer.from(searchParams.get(name) ?? '', 'base64')).toString(),
    signed: verify(
      'sha256',
      Buffer.from(text),
      publicKey,
      Buffer.from(searchParams.get('Signature') ?? '', 'base64'),
    ),
    relayState: searchParams.get('RelayState'),
  };
}
