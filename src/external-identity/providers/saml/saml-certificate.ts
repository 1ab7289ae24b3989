import { generateKeyPair, randomBytes, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** ASN.1 tags (X.690). */
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const NULL = 0x05;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;

/** Encoded object identifiers 1.2.840.113549.1.1.11 and 2.5.4.3. */
const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');

const RSA_BITS = 3_072;
/** Long, because administrators import the certificate by hand. */
const CERTIFICATE_YEARS = 20;

/**
 * Makes an RSA key of this service with its certificate, both in PEM. Outside of a transaction, as
 * it takes long.
 */
export async function generateCertifiedKey(): Promise<{
  readonly privateKey: string;
  readonly certificate: string;
}> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
  const until = new Date();
  until.setUTCFullYear(until.getUTCFullYear() + CERTIFICATE_YEARS);
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { privateKey, certificate: selfSigned('Gatehouse', pair, new Date(), until) };
}

/**
 * Creates a self-signed certificate (RFC 5280, version 1: no extensions). SAML metadata contains
 * keys in this form; identity providers use only the key in it.
 * @returns PEM
 */
export function selfSigned(
  name: string,
  { publicKey, privateKey }: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  from: Date,
  until: Date,
): string {
  const algorithm = der(SEQUENCE, der(OBJECT_IDENTIFIER, SHA256_WITH_RSA), der(NULL));
  const subject = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OBJECT_IDENTIFIER, COMMON_NAME), der(UTF8_STRING, Buffer.from(name)))),
  );
  const body = der(
    SEQUENCE,
    der(INTEGER, serialNumber()),
    algorithm,
    subject,
    der(SEQUENCE, time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content]);
}

function lengthOf({ length }: Buffer): number[] {
  if (length < 0x80) return [length];
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return [0x80 | bytes.length, ...bytes];
}

/** Returns a random positive integer without a superfluous leading byte, as DER requires. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** Encodes a time by RFC 5280 section 4.1.2.5: UTCTime through 2049, then GeneralizedTime. */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? der(UTC_TIME, Buffer.from(digits.slice(2)))
    : der(GENERALIZED_TIME, Buffer.from(digits));
}
