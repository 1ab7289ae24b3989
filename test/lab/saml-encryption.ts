import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';
import { constants, createCipheriv, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto';

const XENC = 'http://www.w3.org/2001/04/xmlenc#';
const OAEP = `${XENC}rsa-oaep-mgf1p`;
export const OAEP_11 = 'http://www.w3.org/2009/xmlenc11#rsa-oaep';
export const RSA_15 = `${XENC}rsa-1_5`;
const AES_256_GCM = 'http://www.w3.org/2009/xmlenc11#aes256-gcm';
export const AES_128_GCM = 'http://www.w3.org/2009/xmlenc11#aes128-gcm';
export const AES_256_CBC = `${XENC}aes256-cbc`;

const CIPHERS: Readonly<
  Record<string, { readonly name: string; readonly bytes: number; readonly iv: number }>
> = {
  [AES_256_GCM]: { name: 'aes-256-gcm', bytes: 32, iv: 12 },
  [AES_128_GCM]: { name: 'aes-128-gcm', bytes: 16, iv: 12 },
  [AES_256_CBC]: { name: 'aes-256-cbc', bytes: 32, iv: 16 },
};
const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s;

/** How an assertion is encrypted. */
interface Encryption {
  readonly cipher?: string;
  readonly transport?: string;
  /** Hashes of RSA-OAEP, by the names of OpenSSL, and what the message says of them. */
  readonly oaep?: { readonly digest: string; readonly mgf: string; readonly method: string };
  /** Next to the data, in place of within it. */
  readonly keyBeside?: boolean;
  /** Changes the sealed bytes. */
  readonly spoil?: (bytes: Buffer) => Buffer;
  /** What is encrypted in place of the assertion. */
  readonly plain?: (assertion: string) => string;
}

/** Encrypts the assertion of a response (XML Encryption 1.1) by the key of a certificate. */
export function encrypted(
  certificate: string,
  {
    cipher = AES_256_GCM,
    transport = OAEP,
    oaep = { digest: 'sha1', mgf: 'sha1', method: '' },
    keyBeside = false,
    spoil = (bytes) => bytes,
    plain = (assertion) => assertion,
  }: Encryption = {},
): (xml: string) => string {
  return (xml) =>
    xml.replace(ASSERTION, (assertion) => {
      const text = plain(
        assertion.replace(
          '<saml:Assertion ',
          '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ',
        ),
      );
      const { name, bytes, iv: ivBytes } = CIPHERS[cipher] ?? { name: 'aes-256-gcm', bytes: 32, iv: 12 };
      const [key, iv] = [randomBytes(bytes), randomBytes(ivBytes)];
      const sealing = createCipheriv(name as 'aes-256-gcm', key, iv);
      const body = Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final()]);
      const sealed = spoil(name.endsWith('gcm') ? Buffer.concat([body, sealing.getAuthTag()]) : body);
      const { publicKey } = new X509Certificate(certificate);
      const wrapped =
        transport === RSA_15
          ? publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, key)
          : wrappedByOpenssl(certificate, key, oaep);
      const encryptedKey = `<xenc:EncryptedKey xmlns:xenc="${XENC}"><xenc:EncryptionMethod Algorithm="${transport}">${oaep.method}</xenc:EncryptionMethod>${valueOf(wrapped)}</xenc:EncryptedKey>`;
      const info = keyBeside
        ? ''
        : `<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${encryptedKey}</ds:KeyInfo>`;
      return (
        `<saml:EncryptedAssertion><xenc:EncryptedData xmlns:xenc="${XENC}" Type="${XENC}Element">` +
        `<xenc:EncryptionMethod Algorithm="${cipher}"/>${info}${valueOf(sealed)}</xenc:EncryptedData>` +
        `${keyBeside ? encryptedKey : ''}</saml:EncryptedAssertion>`
      );
    });
}

/** Wraps a key by RSA-OAEP. Node.js has no option for the hash of MGF1. */
function wrappedByOpenssl(
  certificate: string,
  key: Buffer,
  { digest, mgf }: { readonly digest: string; readonly mgf: string },
): Buffer {
  const file = join(temporaryFolder('oaep'), 'certificate.pem');
  writeFileSync(file, certificate);
  const options = ['rsa_padding_mode:oaep', `rsa_oaep_md:${digest}`, `rsa_mgf1_md:${mgf}`];
  return execFileSync(
    'openssl',
    ['pkeyutl', '-encrypt', '-certin', '-inkey', file, ...options.flatMap((one) => ['-pkeyopt', one])],
    { input: key },
  );
}

const valueOf = (bytes: Buffer): string =>
  `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`;
