import type { KeyObject } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import type { TenantId } from '../../kernel/index.js';

/** Type of the JWS (RFC 7515 section 4.1.9): it is no token, and is refused as one. */
export const ANCHOR_TYPE = 'audit-anchor+jwt';

/** What an anchor says. */
export interface AnchorClaims {
  readonly iss: string;
  /** Time of the signature, in seconds since 1970. */
  readonly iat: number;
  /** Null for the trail of the platform. */
  readonly tenantId: TenantId | null;
  /** Number of an entry. */
  readonly sequence: number;
  /** Hash of the entry, and thereby of all before it. */
  readonly hash: string;
  /** Whether the chain starts after it: what was before is over its retention (ADR 73). */
  readonly start?: boolean;
}

const jwt = new JwtService();

/**
 * Verifies the signature of an anchor.
 * @param keys by id
 * @returns what it says; null if it is not signed by one of the keys, or is no anchor
 */
export function readAnchor(jws: string, keys: ReadonlyMap<string, KeyObject>): AnchorClaims | null {
  try {
    const { header } = jwt.decode<{ header: { kid?: string; typ?: string } }>(jws, { complete: true });
    const key = keys.get(header.kid ?? '');
    if (!key || header.typ !== ANCHOR_TYPE) return null;
    return jwt.verify<AnchorClaims>(jws, {
      secret: key as never, // the library accepts key objects; its type names only strings and buffers
      algorithms: ['ES256'],
    });
  } catch {
    return null;
  }
}
