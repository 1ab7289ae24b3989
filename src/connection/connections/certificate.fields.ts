import { blockField, listField, objectListField, Output, toResponse } from '../../platform/api/index.js';
import type { ListedCertificate } from '../certificates/certificate.repository.js';

const PEM = /^-----BEGIN CERTIFICATE-----[\s\S]{1,9900}-----END CERTIFICATE-----\s*$/;

export const CERTIFICATES = listField({
  min: 1,
  max: 10,
  itemMax: 10_000,
  pattern: PEM,
  message: 'must be a certificate in PEM',
  example: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
  description: 'saml: certificates by which the provider signs, in PEM.',
});
/** A certificate, with its fingerprint. */
export class CertificateResponse {
  @Output.text({
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    shape: '64 hexadecimal digits',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: 'Fingerprint by SHA-256.',
  })
  sha256: string;
  @Output.time({ description: 'End of its validity.' })
  notAfter: string;
  @Output.time({ nullable: true, description: 'Last time that it verified a sign-in.' })
  lastUsedAt: string | null;

  static from(certificate: ListedCertificate): CertificateResponse {
    return toResponse(CertificateResponse, { ...certificate, lastUsedAt: certificate.lastUsed });
  }
}

/** A certificate that was added. */
export class AddedCertificateResponse extends CertificateResponse {
  @Output.word(['accepted', 'waiting'] as const, {
    description: '`waiting`: nothing is signed in by it until an owner confirms it.',
  })
  status: string;

  static of(added: ListedCertificate & { readonly isWaiting: boolean }): AddedCertificateResponse {
    return { ...CertificateResponse.from(added), status: added.isWaiting ? 'waiting' : 'accepted' };
  }
}

/** Of a key that was thrown away. */
export const EXAMPLE_PEM = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBijCCATGgAwIBAgIUJogDihtP9+VA+zPl1qSLs1bF2K4wCgYIKoZIzj0EAwIw',
  'GjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyNTIyMzEwOFoYDzIx',
  'MjYxMTAxMjIzMTA4WjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wWTATBgcq',
  'hkjOPQIBBggqhkjOPQMBBwNCAATkmR/Xjus2mWA54xm8AGuRfL6AsVru5xMk5k7M',
  '429HBom3KJAgctmAWlKIp46YUNUKb00wD8y7dAPHEBzmFIwbo1MwUTAdBgNVHQ4E',
  'FgQUU/CJCo7mqfY1ofwPfwB9ewl5T88wHwYDVR0jBBgwFoAUU/CJCo7mqfY1ofwP',
  'fwB9ewl5T88wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBCAJk8',
  'dSMSof8S5H+wkuVzRTaAwaLJvuAJ6LR0kNxtXAIgDReiYMXrRGRLUhgiUpxJQ3ef',
  'HDNC9zCuzmatUpa7w0w=',
  '-----END CERTIFICATE-----',
].join('\n');
export const CERTIFICATE = blockField({
  max: 10_000,
  pattern: PEM,
  message: 'must be a certificate in PEM',
  example: EXAMPLE_PEM,
  description: 'Certificate by which the provider signs, in PEM.',
});

/** Path parameter: a certificate of a connection. */
export const SHA256_PARAMETER = {
  name: 'sha256',
  schema: {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    maxLength: 64,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  description: 'Fingerprint of the certificate by SHA-256.',
} as const;
export const CERTIFICATE_LIST = objectListField(() => CertificateResponse, 10);
