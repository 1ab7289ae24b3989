import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { headerValuesOf } from '../../platform/web/index.js';
import { DpopNonces, DpopProofs } from '../../session/index.js';
import { OAuthError } from './oauth-error.js';

/** A key that a client has proved. */
export interface ProvenKey {
  /** Thumbprint. */
  readonly jkt: string;
  readonly alg: string;
}

/** Proofs of possession in requests of clients (RFC 9449 sections 5 and 10.1). */
@Injectable()
export class RequestProof {
  constructor(
    private readonly proofs: DpopProofs,
    private readonly nonces: DpopNonces,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Verifies the proof of a request, which must have a nonce. Sends the nonce for the next one.
   * @returns null without a proof
   * @throws {OAuthError} invalid_dpop_proof; use_dpop_nonce
   */
  async find(request: Request, response: Response): Promise<ProvenKey | null> {
    const headers = headerValuesOf(request, 'dpop');
    if (headers.length === 0) return null;
    response.setHeader('DPoP-Nonce', this.nonces.current());
    const url = this.settings.PUBLIC_URL + request.path;
    const verdict = await this.proofs.verify(headers, { method: request.method, url, needsNonce: true });
    if ('fault' in verdict) throw new OAuthError(verdict.fault, verdict.reason);
    return verdict;
  }
}
