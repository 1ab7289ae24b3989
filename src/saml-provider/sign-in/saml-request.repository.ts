import { Injectable } from '@nestjs/common';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { SamlRequestEntity } from './saml-request.entity.js';

const REQUEST = {
  clientId: true,
  requestId: true,
  consumer: true,
  relayState: true,
  nameIdFormat: true,
  allowCreate: true,
  authnContext: true,
} as const;

/** A request that waits for its answer. */
export type SamlRequest = Selected<SamlRequestEntity, typeof REQUEST>;

/** Longer than a person may take, and than a request is accepted. */
const LIFETIME_SECONDS = 900;

/** Requests of apps. */
@Injectable()
@RemovesExpired({ table: 'saml_requests', key: 'state_hash', when: 'expires_at < now()' })
export class SamlRequestRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if the client has sent a request with this id before */
  async insert(
    { requestHash, stateHash }: Pick<SamlRequestEntity, 'requestHash' | 'stateHash'>,
    request: SamlRequest,
  ): Promise<boolean> {
    const inserted = await this.database.rows(
      prepared(`INSERT INTO saml_requests (client_id, request_hash, state_hash, request_id, consumer, relay_state, name_id_format, allow_create, authn_context, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => ${LIFETIME_SECONDS}))
       ON CONFLICT (client_id, request_hash) DO NOTHING RETURNING 1`),
      [
        request.clientId,
        requestHash,
        stateHash,
        request.requestId,
        request.consumer,
        request.relayState,
        request.nameIdFormat,
        request.allowCreate,
        request.authnContext,
      ],
    );
    return inserted.length === 1;
  }

  /** Notes a request that is fulfilled at once. @returns false if it was sent before */
  async markUsed(clientId: string, requestHash: Buffer): Promise<boolean> {
    const inserted = await this.database.rows(
      prepared(`INSERT INTO saml_requests (client_id, request_hash, state_hash, consumer, name_id_format, allow_create, answered_at, expires_at)
       VALUES ($1, $2, sha256($2 || convert_to($1, 'UTF8')), '', '', false, now(), now() + make_interval(secs => ${LIFETIME_SECONDS}))
       ON CONFLICT (client_id, request_hash) DO NOTHING RETURNING 1`),
      [clientId, requestHash],
    );
    return inserted.length === 1;
  }

  /** Takes a request to answer it. @returns null for all callers but the first */
  take(stateHash: Buffer): Promise<SamlRequest | null> {
    return this.database.row<SamlRequest>(
      prepared(`UPDATE saml_requests SET answered_at = now()
       WHERE state_hash = $1 AND answered_at IS NULL AND expires_at > now()
       RETURNING ${columnsOf(SamlRequestEntity, '', REQUEST)}`),
      [stateHash],
    );
  }
}
