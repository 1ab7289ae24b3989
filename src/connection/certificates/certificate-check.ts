import { X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { AcceptedCertificate } from '../connections/connection.js';

const MIN_RSA_BITS = 2_048;

export interface CheckedCertificate extends AcceptedCertificate {
  readonly notAfter: Date;
}

/**
 * Reads a certificate. Its issuer does not matter: keys are trusted because the administrator has
 * entered them (SAML Metadata Interoperability).
 * @returns the fault of a text that is no certificate, or whose key is weak
 */
export function checkCertificate(pem: string): CheckedCertificate | { readonly fault: string } {
  let read: X509Certificate;
  try {
    read = new X509Certificate(pem);
  } catch {
    return { fault: 'must be a certificate in PEM' };
  }
  if (isWeak(read.publicKey)) return { fault: `must have an RSA key of ${MIN_RSA_BITS} bits, or an EC key` };
  return {
    sha256: read.fingerprint256.replaceAll(':', '').toLowerCase(),
    certificate: read.toString(),
    notAfter: new Date(read.validTo),
  };
}

function isWeak({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return false;
  return asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS;
}
