import { createHmac, hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UsedAssertionRepository } from '../../machine/index.js';
import { isSameText, KeyDerivation } from '../../platform/crypto/index.js';

/** Seconds after which a new nonce is sent; each is accepted for as long again. */
const PERIOD_SECONDS = 120;

/**
 * Nonces of proofs (RFC 9449 section 8): a time and its MAC, so that each replica accepts those of
 * all others, and none is stored.
 */
@Injectable()
export class DpopNonces {
  constructor(private readonly keys: KeyDerivation) {}

  /** Returns the nonce that is sent now. */
  current(): string {
    return this.encode(this.keys.subkeys('dpop-nonce')[0].key, periodNow());
  }

  /** Returns whether a nonce is the current one or the one before. */
  accepts(nonce: string): boolean {
    const period = periodNow();
    return this.keys
      .subkeys('dpop-nonce')
      .some(({ key }) => [period, period - 1].some((one) => isSameText(nonce, this.encode(key, one))));
  }

  private encode(key: Buffer, period: number): string {
    return createHmac('sha256', key).update(`v1|${period}`).digest('base64url');
  }
}

const periodNow = (): number => Math.floor(Date.now() / 1_000 / PERIOD_SECONDS);

/** Algorithms of proofs: asymmetric ones alone (RFC 9449 section 4.3). */
export const DPOP_ALGS = ['ES256', 'ES384', 'EdDSA', 'RS256', 'PS256'];
/** Seconds between the clock of a client and ours, either way. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 60;
/** Characters. A longer proof is refused before it is parsed. */
const MAX_PROOF_LENGTH = 4_096;
const MAX_JTI_LENGTH = 256;

/** Request that a proof is for. */
export interface ProvenRequest {
  readonly method: string;
  /** Address without query and fragment, as clients know it. */
  readonly url: string;
  /** Access token next to it; undefined at the token endpoint. */
  readonly accessToken?: string;
  /** Whether the proof must have a nonce of ours; a wrong one is always refused. */
  readonly needsNonce: boolean;
}

/** What a valid proof says, or what is wrong with it. */
export type ProofVerdict =
  | { readonly jkt: string; readonly alg: string }
  | { readonly fault: 'invalid_dpop_proof' | 'use_dpop_nonce'; readonly reason: string };

/** Verifies proofs of possession of a key (DPoP, RFC 9449 section 4.3). */
@Injectable()
export class DpopProofs {
  constructor(
    private readonly used: UsedAssertionRepository,
    private readonly nonces: DpopNonces,
  ) {}

  /**
   * Verifies a proof. Marks it as used, last, for all replicas.
   * @param headers all DPoP headers of the request
   * @returns the thumbprint of the key
   */
  async verify(headers: readonly string[], request: ProvenRequest): Promise<ProofVerdict> {
    const [proof = ''] = headers;
    if (headers.length !== 1 || proof.length > MAX_PROOF_LENGTH) return invalid('Send one DPoP header.');
    const { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } = await import('jose');
    const verified = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: DPOP_ALGS }).catch(
      () => null,
    );
    const jwk = verified?.protectedHeader.jwk;
    if (!verified || !jwk || 'd' in jwk) return invalid('The proof is not a JWT of its own public key.');
    const { htm, htu, ath, nonce, iat, jti } = verified.payload;
    if (htm !== request.method || addressOf(htu) !== request.url)
      return invalid('htm and htu must be those of the request.');
    if (typeof iat !== 'number' || Math.abs(Date.now() / 1_000 - iat) > MAX_CLOCK_DIFFERENCE_SECONDS)
      return invalid('iat must be now.');
    if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH)
      return invalid('jti is missing.');
    const { accessToken } = request;
    if (
      accessToken !== undefined &&
      !(typeof ath === 'string' && isSameText(ath, hash('sha256', accessToken, 'base64url')))
    )
      return invalid('ath must be the hash of the access token.');
    if (nonce === undefined ? request.needsNonce : typeof nonce !== 'string' || !this.nonces.accepts(nonce))
      return { fault: 'use_dpop_nonce', reason: 'Send the nonce of the DPoP-Nonce header.' };
    const jkt = await calculateJwkThumbprint(jwk);
    const { alg } = verified.protectedHeader;
    return (await this.isFirstUse(jkt, jti)) ? { jkt, alg } : invalid('The proof has been used.');
  }

  /** Keeps a proof as used for longer than its time is accepted. */
  private isFirstUse(jkt: string, jti: string): Promise<boolean> {
    const digest = hash('sha256', JSON.stringify([jkt, jti]), 'buffer');
    return this.used.take(digest, 3 * MAX_CLOCK_DIFFERENCE_SECONDS);
  }
}

const invalid = (reason: string): ProofVerdict => ({ fault: 'invalid_dpop_proof', reason });

/** Returns an address without query and fragment (RFC 9449 section 4.3, RFC 3986 section 6.2.2). */
function addressOf(htu: unknown): string | null {
  if (typeof htu !== 'string' || !URL.canParse(htu)) return null;
  const { origin, pathname } = new URL(htu);
  return origin + pathname;
}
