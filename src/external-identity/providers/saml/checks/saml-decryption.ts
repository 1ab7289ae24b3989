import { createDecipheriv } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { decryptOaep, type OaepHash } from './saml-oaep.js';
import { parseStrictly, type SamlDocument } from './saml-document.js';
import { refuseForgeries } from './saml-forgery.js';
import { demand, SamlRefusal } from './saml-refusal.js';
import { readSignature } from './saml-signatures.js';
import { MAX_DEPTH, requireUniqueIds } from './saml-structure.js';
import {
  ASSERTION,
  attributeOf,
  childrenOf,
  elementsIn,
  elementsWithin,
  isElement,
  onlyChild,
  PROTOCOL,
  SIGNATURE,
  textOf,
} from './saml-xml.js';

const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#';
const ENCRYPTION_11 = 'http://www.w3.org/2009/xmlenc11#';
/** Content is decrypted by authenticated modes only: CBC has padding oracles (SAML-12). */
const CIPHERS: ReadonlyMap<string, { readonly name: 'aes-128-gcm' | 'aes-256-gcm'; readonly bytes: number }> =
  new Map([
    ['http://www.w3.org/2009/xmlenc11#aes128-gcm', { name: 'aes-128-gcm', bytes: 16 }],
    ['http://www.w3.org/2009/xmlenc11#aes256-gcm', { name: 'aes-256-gcm', bytes: 32 }],
  ]);
/** RSA-OAEP with MGF1 by SHA-1 (XML Encryption 1.1 section 5.5.2); RSA 1.5 has padding oracles. */
const OAEP_MGF1P = `${ENCRYPTION}rsa-oaep-mgf1p`;
/** RSA-OAEP with the MGF that it names. */
const OAEP = `${ENCRYPTION_11}rsa-oaep`;
/** Hashes of OAEP: SHA-1 is the default of the standard, and not weak in this place. */
const DIGESTS: ReadonlyMap<string, OaepHash> = new Map([
  ['http://www.w3.org/2000/09/xmldsig#sha1', 'sha1'],
  [`${ENCRYPTION}sha256`, 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#sha384', 'sha384'],
  [`${ENCRYPTION}sha512`, 'sha512'],
]);
const MASKS: ReadonlyMap<string, OaepHash> = new Map(
  (['sha1', 'sha256', 'sha384', 'sha512'] as const).map((hash) => [`${ENCRYPTION_11}mgf1${hash}`, hash]),
);
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Decrypts the assertion of a response, and returns the response with it in place of the encrypted
 * one. The assertion must be signed, which the later checks require: its encryption proves nothing
 * of the sender (SAML-12).
 * @param privateKeys in PEM, each of which is tried
 * @param certificates by which a signature of the response is verified, before it is removed
 * @throws {SamlRefusal} with one text for all that can go wrong while it is decrypted
 */
export async function decryptResponse(
  { text, root }: SamlDocument,
  privateKeys: readonly string[],
  certificates: readonly string[],
): Promise<SamlDocument> {
  const encrypted = readEncrypted(root);
  const signatures = childrenOf(root, SIGNATURE, 'Signature');
  await refuseForgeries(signatures.map(readSignature), certificates);
  const plain = decrypt(encrypted, privateKeys);
  const { root: assertion } = parseAssertion(plain);
  demand(isElement(assertion, ASSERTION, 'Assertion'), 'SAML-12', 'it does not decrypt', 'decryption');
  const unsigned = signatures.reduce((rest, { tagName }) => replaced(rest, tagName, ''), text);
  return parseStrictly(replaced(unsigned, encrypted.tagName, plain));
}

/**
 * Replaces the only element of a name in a text without comments and CDATA. What results is parsed
 * and checked as any response, so that a mistake here refuses it.
 */
function replaced(text: string, tagName: string, by: string): string {
  const start = text.indexOf(`<${tagName}`);
  const close = text.lastIndexOf(`</${tagName}`);
  const end = text.indexOf('>', close);
  demand(start !== -1 && close > start && end !== -1, 'SAML-3', 'it must be well-formed');
  return `${text.slice(0, start)}${by}${text.slice(end + 1)}`;
}

/** Returns whether a document has an assertion anywhere, encrypted or not. */
export function hasAssertion(root: Element): boolean {
  return [...elementsIn(root)].some(({ element: { localName } }) =>
    ['Assertion', 'EncryptedAssertion'].includes(localName),
  );
}

/** Returns the only encrypted assertion. Refuses one in the clear next to it. */
function readEncrypted(root: Element): Element {
  const elements = elementsWithin(root, MAX_DEPTH);
  const named = (name: string) => elements.filter(({ localName }) => localName === name);
  demand(isElement(root, PROTOCOL, 'Response'), 'SAML-3', 'it must be a Response');
  demand(named('Response').length === 1, 'SAML-3', 'there is another Response');
  demand(named('Assertion').length === 0, 'SAML-12', 'an assertion is not encrypted', 'not-encrypted');
  const [encrypted, ...others] = named('EncryptedAssertion');
  demand(encrypted !== undefined, 'SAML-12', 'no assertion is encrypted', 'not-encrypted');
  demand(
    others.length === 0 &&
      encrypted.parentNode === root &&
      isElement(encrypted, ASSERTION, 'EncryptedAssertion'),
    'SAML-3',
    'the EncryptedAssertion is in a wrong place',
  );
  requireUniqueIds(elements);
  const signatures = childrenOf(root, SIGNATURE, 'Signature');
  demand(
    signatures.length <= 1 && named('Signature').length === signatures.length,
    'SAML-1',
    'a Signature is in a wrong place',
  );
  return encrypted;
}

function decrypt(encrypted: Element, privateKeys: readonly string[]): string {
  const data = onlyChild(encrypted, ENCRYPTION, 'EncryptedData', 'SAML-12');
  const cipher = CIPHERS.get(algorithmOf(data));
  const wrapped = keyOf(encrypted, data);
  const oaep = oaepOf(wrapped);
  const isAllowed = cipher !== undefined && oaep !== null;
  demand(isAllowed, 'SAML-12', 'the encryption algorithm is not allowed', 'decryption');
  const [wrappedKey, sealed] = [bytesOf(wrapped), bytesOf(data)];
  for (const privateKey of privateKeys) {
    try {
      const key = decryptOaep(privateKey, wrappedKey, oaep.digest, oaep.mask);
      const decipher = createDecipheriv(cipher.name, key, sealed.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const plain = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      return new TextDecoder('utf-8', { fatal: true }).decode(plain);
    } catch {
      // Encrypted to another key, or changed.
    }
  }
  throw new SamlRefusal('SAML-12', 'it does not decrypt', undefined, 'decryption');
}

/** Returns the hashes by which a key is wrapped; null if it is wrapped in a way that is refused. */
function oaepOf(wrapped: Element): { readonly digest: OaepHash; readonly mask: OaepHash } | null {
  const algorithm = algorithmOf(wrapped);
  const method = onlyChild(wrapped, ENCRYPTION, 'EncryptionMethod', 'SAML-12');
  if (algorithm !== OAEP && algorithm !== OAEP_MGF1P) return null;
  if (childrenOf(method, ENCRYPTION, 'OAEPparams').length > 0) return null;
  const digest = hashOf(childrenOf(method, SIGNATURE, 'DigestMethod'), DIGESTS);
  const mask = algorithm === OAEP ? hashOf(childrenOf(method, ENCRYPTION_11, 'MGF'), MASKS) : 'sha1';
  return digest && mask && { digest, mask };
}

/** SHA-1, the default of the standard, without an element that names another hash. */
function hashOf(elements: readonly Element[], hashes: ReadonlyMap<string, OaepHash>): OaepHash | null {
  const [element, ...others] = elements;
  if (!element) return 'sha1';
  return others.length > 0 ? null : (hashes.get(attributeOf(element, 'Algorithm') ?? '') ?? null);
}

/** Returns the wrapped key: within the data, or next to it (XML Encryption section 3.5.1). */
function keyOf(encrypted: Element, data: Element): Element {
  const inside = childrenOf(data, SIGNATURE, 'KeyInfo').flatMap((info) =>
    childrenOf(info, ENCRYPTION, 'EncryptedKey'),
  );
  const [key, ...others] = [...inside, ...childrenOf(encrypted, ENCRYPTION, 'EncryptedKey')];
  demand(key !== undefined && others.length === 0, 'SAML-12', 'there must be one EncryptedKey');
  return key;
}

/** The same text as for what does not decrypt. */
function parseAssertion(plain: string): SamlDocument {
  try {
    return parseStrictly(plain);
  } catch {
    throw new SamlRefusal('SAML-12', 'it does not decrypt', undefined, 'decryption');
  }
}

function algorithmOf(parent: Element): string {
  return attributeOf(onlyChild(parent, ENCRYPTION, 'EncryptionMethod', 'SAML-12'), 'Algorithm') ?? '';
}

function bytesOf(parent: Element): Buffer {
  const data = onlyChild(parent, ENCRYPTION, 'CipherData', 'SAML-12');
  return Buffer.from(textOf(onlyChild(data, ENCRYPTION, 'CipherValue', 'SAML-12'), 'SAML-12'), 'base64');
}
