import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { AuthorizationRequestEntity } from './authorization-request.entity.js';

const REQUEST = {
  clientId: true,
  redirectUri: true,
  scopes: true,
  state: true,
  nonce: true,
  responseMode: true,
  codeChallenge: true,
  prompts: true,
  maxAge: true,
  acr: true,
  loginHint: true,
  uiLocales: true,
  dpopJkt: true,
  subjectHint: true,
} as const;

/** What a client has asked for, checked. */
export type CheckedRequest = Selected<AuthorizationRequestEntity, typeof REQUEST>;

/** A request that waits for the person. */
export interface WaitingRequest extends CheckedRequest {
  readonly createdAt: Date;
}

const COLUMNS = columnsOf(AuthorizationRequestEntity, '', { ...REQUEST, createdAt: true });

/** Authorization requests, by the hash of their id. */
@Injectable()
@RemovesExpired({ table: 'oidc_requests', key: 'request_hash', when: 'expires_at < now()' })
export class AuthorizationRequestRepository {
  constructor(private readonly database: Database) {}

  /** @param seconds for which it waits */
  async insert(
    requestHash: Buffer,
    request: CheckedRequest,
    { pushed, seconds }: { readonly pushed: boolean; readonly seconds: number },
  ): Promise<void> {
    await this.database.rows(
      prepared(`INSERT INTO oidc_requests (request_hash, client_id, pushed, redirect_uri, scopes, state, nonce, code_challenge, prompts, max_age, acr, login_hint, subject_hint, ui_locales, dpop_jkt, response_mode, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, now() + make_interval(secs => $17))`),
      [
        requestHash,
        request.clientId,
        pushed,
        request.redirectUri,
        request.scopes,
        request.state,
        request.nonce,
        request.codeChallenge,
        request.prompts,
        request.maxAge,
        request.acr,
        request.loginHint,
        request.subjectHint,
        request.uiLocales,
        request.dpopJkt,
        request.responseMode,
        seconds,
      ],
    );
  }

  /** Returns a request that waits for the person. */
  find(requestHash: Buffer): Promise<WaitingRequest | null> {
    return this.database.row<WaitingRequest>(
      prepared(
        `SELECT ${COLUMNS} FROM oidc_requests WHERE request_hash = $1 AND NOT pushed AND expires_at > now()`,
      ),
      [requestHash],
    );
  }

  /** Removes a request that waits. @returns null for all callers but the first */
  take(requestHash: Buffer): Promise<WaitingRequest | null> {
    return this.database.row<WaitingRequest>(
      prepared(`DELETE FROM oidc_requests WHERE request_hash = $1 AND NOT pushed AND expires_at > now()
       RETURNING ${COLUMNS}`),
      [requestHash],
    );
  }

  /**
   * Removes a pushed request of the client, which a browser brings.
   * @returns null for all callers but the first
   */
  takePushed(requestHash: Buffer, clientId: string): Promise<CheckedRequest | null> {
    return this.database.row<CheckedRequest>(
      prepared(`DELETE FROM oidc_requests WHERE request_hash = $1 AND client_id = $2 AND pushed AND expires_at > now()
       RETURNING ${COLUMNS}`),
      [requestHash, clientId],
    );
  }

  @OnLifecycle('account.erased')
  async deleteOfPerson({ userId }: LifecycleEvents['account.erased']): Promise<void> {
    await this.database.rows('DELETE FROM oidc_requests WHERE subject_hint = $1', [userId]);
  }
}
