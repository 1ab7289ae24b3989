import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { IDEMPOTENCY_KEY_PATTERN } from '../../kernel/index.js';
import { KeyDerivation, keyedHashes, Sealer } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { callerOf } from '../../platform/web/index.js';
import { IdempotentResponseRepository } from './idempotent-response.repository.js';
import './idempotency.errors.js';

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN);

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
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
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
    const caller = callerOf(request);
    const { userId: accountId, clientId, tenantId } = caller;
    const isPerson = caller.kind === 'person' || caller.owner === 'person';
    const keyHashes = this.hashesOf(clientId, key);
    const { method, originalUrl, body: input } = request;
    const requestHashes = this.hashesOf(method, originalUrl, tenantId, input);
    return this.database.transaction(async () => {
      if (!(await this.responses.tryLock(accountId, keyHashes[0])))
        throw new AppError('conflict', { detail: 'A request with this Idempotency-Key is still under way.' });
      const kept = await this.responses.findUnexpired(accountId, keyHashes);
      if (kept) {
        if (!requestHashes.some((hash) => hash.equals(kept.requestHash)))
          throw new AppError('idempotency-key-reused');
        return { body: JSON.parse(this.sealer.open(kept.sealed)) as object, replayed: true };
      }
      const body = await work();
      const sealed = this.sealer.seal(JSON.stringify(body));
      const [keyHash, requestHash] = [keyHashes[0], requestHashes[0]];
      await this.responses.keep({ accountId, keyHash, requestHash, sealed }, isPerson);
      return { body, replayed: false };
    });
  }

  /** @returns keyed hashes of the parts together, which may hold personal data */
  private hashesOf(...parts: readonly unknown[]): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'idempotency-key', JSON.stringify(parts));
  }
}
