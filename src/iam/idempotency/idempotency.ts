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

/** What a request has done: what is sent again to the same request. */
interface Done {
  readonly body: object;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
}

interface Outcome extends Done {
  /** Whether it is the response to an earlier request. */
  readonly replayed: boolean;
}

/**
 * Makes creating requests repeatable (draft-ietf-httpapi-idempotency-key-header): the same request
 * of the same caller under the same key gets the same response for 24 hours, without cookies that
 * have expired.
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
  async once(request: Request, headers: readonly string[], work: () => Promise<Done>): Promise<Outcome> {
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
        const { body, cookies } = unpack(this.sealer.open(kept.sealed));
        return { body, cookies: cookies.filter(outlives(kept.ageSeconds)), replayed: true };
      }
      const done = await work();
      const sealed = this.sealer.seal(pack(done));
      const [keyHash, requestHash] = [keyHashes[0], requestHashes[0]];
      await this.responses.keep({ accountId, keyHash, requestHash, sealed }, isPerson);
      return { ...done, replayed: false };
    });
  }

  /** @returns keyed hashes of the parts together, which may hold personal data */
  private hashesOf(...parts: readonly unknown[]): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'idempotency-key', JSON.stringify(parts));
  }
}

/**
 * Tells whether a cookie is still valid so long after it was set. One of no lifetime removes a
 * cookie, which the browser keeps if it has not received the first response.
 */
const outlives =
  (seconds: number) =>
  (cookie: string): boolean => {
    const lifetime = Number(/; Max-Age=(\d+)/i.exec(cookie)?.[1] ?? Infinity);
    return lifetime === 0 || lifetime > seconds;
  };

/** Writes a response as text: its body; with cookies, a list of the body and them. */
function pack({ body, cookies }: Done): string {
  return JSON.stringify(cookies.length === 0 ? body : [body, ...cookies]);
}

/** Reads what {@link pack} has written. No body is a list. */
function unpack(text: string): Done {
  const kept = JSON.parse(text) as object | [object, ...string[]];
  if (!Array.isArray(kept)) return { body: kept, cookies: [] };
  const [body, ...cookies] = kept as [object, ...string[]];
  return { body, cookies };
}
