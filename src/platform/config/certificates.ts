import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

const BLOCK = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;
const MIN_RSA_BITS = 2_048;

/**
 * Parses certificates whose keys verify signatures: PEM blocks, or base64 separated by commas;
 * several while a provider changes its key. Parsed at start, so that no signature is ever checked
 * without a certificate (SAML-5).
 */
export const certificates = z.string().transform((given, context): readonly string[] => {
  // An environment file writes line ends as \n.
  const text = given.replaceAll('\\n', '\n');
  const blocks = [...text.matchAll(BLOCK)].map(([, body]) => body ?? '');
  const bodies = blocks.length > 0 && text.replace(BLOCK, '').trim() === '' ? blocks : text.split(',');
  const read = bodies.map(readCertificate);
  if (read.every((one) => one !== null)) return read;
  context.addIssue({
    code: 'custom',
    message: `must be a certificate with an RSA key of ${MIN_RSA_BITS} bits or more, in PEM or base64`,
  });
  return z.NEVER;
});

/** @returns the certificate in PEM; null if it is invalid or its key is not RSA or is too short */
function readCertificate(body: string): string | null {
  const base64 = body.replace(/\s/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    return type === 'rsa' && (details?.modulusLength ?? 0) >= MIN_RSA_BITS ? certificate.toString() : null;
  } catch {
    return null;
  }
}
