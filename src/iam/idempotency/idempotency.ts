import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { authenticationOf } from '../../platform/web/index.js';
import { IdempotentResponseRepository } from './idempotent-response.repository.js';
import './idempotency.errors.js';

/** Header value: 8 to 255 visible ASCII characters, or a space within (RFC 8941 strings). */
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{6,253})[\x21-\x7e]$/;

interface Outcome {
  readonly body: object;
  /** Whether the body is the one of an earlier request. */
  readonly replayed: boolean;
}

/**
 * Makes creating requests repeatable (draft-ietf-httpapi-idempotency-key-header): the same request
 * of the same caller under the same key gets the same response for 24 hours.
 */
@Injectable()
export class Idempotency {
  private readonly sealer: Sealer;

  constructor(
    private readonly database: Database,
    private readonly responses: IdempotentResponseRepository,
    @Inject(KeyDerivation) keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'idempotent-response');
  }

  /**
   * Runs the work once. The work and its kept response are committed by one transaction, so that
   * neither exists without the other; what fails is not kept, and can be tried again.
   * @param headers values of `Idempotency-Key`
   * @throws {AppError} validation-error, if the key is malformed; idempotency-key-reused, if it was
   *   used for another request; conflict, while an equal request is under way
   */
  async once(request: Request, headers: readonly string[], work: () => Promise<object>): Promise<Outcome> {
    const [key = ''] = headers;
    if (headers.length > 1 || !KEY.test(key))
      throw AppError.violation('Idempotency-Key', 'must be one value of 8 to 255 visible ASCII characters');
    const { principal } = authenticationOf(request);
    if (!principal) throw new AppError('unauthenticated');
    const accountId = principal.userId;
    const keyHash = hashOf(principal.clientId, key);
    const requestHash = hashOf(
      request.method,
      request.originalUrl,
      principal.tenantId ?? '',
      JSON.stringify(request.body),
    );
    return this.database.transaction(async () => {
      if (!(await this.responses.tryLock(accountId, keyHash)))
        throw new AppError('conflict', { detail: 'A request with this Idempotency-Key is still under way.' });
      const kept = await this.responses.findUnexpired(accountId, keyHash);
      if (kept && !kept.requestHash.equals(requestHash)) throw new AppError('idempotency-key-reused');
      if (kept) return { body: JSON.parse(this.sealer.open(kept.sealed)) as object, replayed: true };
      const body = await work();
      const sealed = this.sealer.seal(JSON.stringify(body));
      await this.responses.keep({ accountId, keyHash, requestHash, sealed });
      return { body, replayed: false };
    });
  }
}

/** @returns the SHA-256 of the parts, unambiguous by their lengths */
function hashOf(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
