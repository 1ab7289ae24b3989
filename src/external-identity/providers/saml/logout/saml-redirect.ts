import { sign, verify } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { SIGNATURE_METHODS } from '../checks/saml-signatures.js';
import { demand } from '../checks/saml-refusal.js';
import type { ConnectionKey } from '../../keys/connection-keys.js';

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Characters of a message in an address, and bytes of its text. */
const MAX_ENCODED = 16_384;
const MAX_TEXT_BYTES = 65_536;
/** A longer RelayState is not returned (SAML Bindings 3.4.3). */
const MAX_RELAY_STATE_BYTES = 80;

/** A message by redirect, before its signature is verified. */
interface RedirectedMessage {
  readonly xml: string;
  readonly relayState: string | null;
}

/** Creates the address that carries a signed message (SAML Bindings 3.4.4). */
export function signedAddress(
  address: string,
  message: 'SAMLRequest' | 'SAMLResponse',
  xml: string,
  key: Pick<ConnectionKey, 'privateKey'>,
  relayState: string | null = null,
): string {
  const isShort = relayState !== null && Buffer.byteLength(relayState) <= MAX_RELAY_STATE_BYTES;
  const parameters = [
    `${message}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    ...(isShort ? [`RelayState=${encodeURIComponent(relayState)}`] : []),
    `SigAlg=${encodeURIComponent(RSA_SHA256)}`,
  ].join('&');
  const signature = sign('sha256', Buffer.from(parameters), key.privateKey).toString('base64');
  const url = new URL(address);
  url.hash = '';
  const separator = url.search === '' ? '?' : '&';
  return `${url.href.replace(/\?$/, '')}${separator}${parameters}&Signature=${encodeURIComponent(signature)}`;
}

/**
 * Reads a message by redirect. The signature is over the parameters as the sender has encoded them,
 * in the order of the standard (SAML Bindings 3.4.4.1).
 * @param search of the address, with its question mark
 * @param certificates the only ones that verify it (SAML-5); null if it need not be signed
 * @throws {SamlRefusal}
 */
export function readRedirected(
  search: string,
  message: 'SAMLRequest' | 'SAMLResponse',
  certificates: readonly string[] | null,
): RedirectedMessage {
  const raw = new Map<string, string>();
  for (const part of search.replace(/^\?/, '').split('&')) {
    const [name = '', ...value] = part.split('=');
    demand(!raw.has(name), 'SAML-17', 'a parameter is there twice');
    raw.set(name, value.join('='));
  }
  const valueOf = (name: string): string => {
    try {
      return decodeURIComponent((raw.get(name) ?? '').replace(/\+/g, ' '));
    } catch {
      return '';
    }
  };
  if (certificates !== null) requireSigned(message, raw, valueOf, certificates);
  return {
    xml: inflate(valueOf(message).replace(/\s/g, '')),
    relayState: raw.has('RelayState') ? valueOf('RelayState') : null,
  };
}

/** @throws {SamlRefusal} unless one of the certificates verifies the signature */
function requireSigned(
  message: 'SAMLRequest' | 'SAMLResponse',
  raw: ReadonlyMap<string, string>,
  valueOf: (name: string) => string,
  certificates: readonly string[],
): void {
  const method = SIGNATURE_METHODS.get(valueOf('SigAlg'));
  demand(raw.has('Signature') && raw.has('SigAlg'), 'SAML-17', 'it is not signed', 'unsigned');
  demand(method !== undefined, 'SAML-4', 'the signature algorithm is not allowed');
  const signed = [message, 'RelayState', 'SigAlg']
    .filter((name) => raw.has(name))
    .map((name) => `${name}=${raw.get(name) ?? ''}`)
    .join('&');
  const signature = Buffer.from(valueOf('Signature'), 'base64');
  demand(
    certificates.some((key) => verify(method.hash, Buffer.from(signed), { ...method, key }, signature)),
    'SAML-17',
    'no certificate of the connection has signed it',
    'unknown-key',
  );
}

function inflate(encoded: string): string {
  demand(encoded.length <= MAX_ENCODED && BASE64.test(encoded), 'SAML-3', 'it must be base64');
  try {
    const bytes = inflateRawSync(Buffer.from(encoded, 'base64'), { maxOutputLength: MAX_TEXT_BYTES });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    demand(false, 'SAML-3', 'it must be compressed UTF-8');
  }
}
