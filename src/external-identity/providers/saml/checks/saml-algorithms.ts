import { constants } from 'node:crypto';

/** Parameters of node:crypto to verify a signature. */
export interface SignatureMethod {
  readonly hash: string;
  readonly padding: number;
  readonly saltLength?: number;
}

/**
 * Accepted algorithms: SHA-256 or better that the library supports, which is not ECDSA (SAML-4).
 */
export const SIGNATURE_METHODS: ReadonlyMap<string, SignatureMethod> = new Map<string, SignatureMethod>([
  [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    { hash: 'sha256', padding: constants.RSA_PKCS1_PADDING },
  ],
  [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    { hash: 'sha512', padding: constants.RSA_PKCS1_PADDING },
  ],
  [
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
    {
      hash: 'sha256',
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    },
  ],
]);

/** Accepted hashes, by their names in node:crypto. */
export const DIGEST_METHODS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);
