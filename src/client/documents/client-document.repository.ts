import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database } from '../../platform/database/index.js';
import { ClientEntity } from '../registry/client.entity.js';
import { type Client, SATELLITE } from '../registry/client.repository.js';
import type { DocumentTraits } from './client-document.js';

/** Clients that no policy lists, and that are new in an hour: anyone can name a URL. */
const MAX_NEW_PER_HOUR = 100;
/** Days without a fetch, and so without a sign-in or a refresh, after which a client is removed. */
const UNUSED_DAYS = 30;
/** Number of the lock under which clients are counted. */
const COUNT_LOCK = 690_001;

/** Clients by metadata document, one row for each. */
@Injectable()
// Removes clients that are not used, with the consents to them.
@RemovesExpired({
  table: 'satellites',
  key: 'id',
  when: `document_fetched_at < now() - interval '${UNUSED_DAYS} days'`,
})
export class ClientDocumentRepository {
  constructor(private readonly database: Database) {}

  /** Keeps other transactions from adding clients until this one ends. */
  async lockCount(): Promise<void> {
    await this.database.rows('SELECT pg_advisory_xact_lock($1)', [COUNT_LOCK]);
  }

  /** Returns whether so many clients are new in this hour that another one is refused. */
  async isFull(): Promise<boolean> {
    const rows = await this.database.rows(
      `SELECT 1 FROM satellites WHERE document_fetched_at > now() - interval '1 hour' AND created_at > now() - interval '1 hour' LIMIT ${MAX_NEW_PER_HOUR}`,
    );
    return rows.length === MAX_NEW_PER_HOUR;
  }

  /**
   * Adds a client, or replaces what its document said before. The copy of a logo at another address
   * is removed.
   * @param seconds for which the document is used
   */
  async keep(clientId: string, traits: DocumentTraits, secretHash: Buffer, seconds: number): Promise<Client> {
    const row = await this.database.row<Client>(
      `INSERT INTO satellites AS s (id, client_id, secret_hash, sector, subject_type, id_token_alg, id_token_claims,
         name, redirect_uris, type, token_endpoint_auth_method, grant_types, jwks, jwks_uri, require_dpop, logo_uri, document_fetched_at, document_expires_at)
       VALUES ($1, $2, $3, $4, 'pairwise', 'ES256', 'scopes', $5, $6, $7, $8, $9, $10, $11, $12, $13, now(), now() + make_interval(secs => $14))
       ON CONFLICT (client_id) DO UPDATE SET
         name = excluded.name, redirect_uris = excluded.redirect_uris, type = excluded.type,
         token_endpoint_auth_method = excluded.token_endpoint_auth_method, grant_types = excluded.grant_types,
         jwks = excluded.jwks, jwks_uri = excluded.jwks_uri, require_dpop = excluded.require_dpop, logo_uri = excluded.logo_uri,
         logo = CASE WHEN s.logo_uri = excluded.logo_uri THEN s.logo END,
         logo_type = CASE WHEN s.logo_uri = excluded.logo_uri THEN s.logo_type END,
         logo_hash = CASE WHEN s.logo_uri = excluded.logo_uri THEN s.logo_hash END,
         document_fetched_at = excluded.document_fetched_at, document_expires_at = excluded.document_expires_at
       RETURNING ${columnsOf(ClientEntity, 's', SATELLITE)}`,
      [
        newId(),
        clientId,
        secretHash,
        `client:${clientId}`,
        traits.name,
        traits.redirectUris,
        traits.type,
        traits.tokenEndpointAuthMethod,
        traits.grantTypes,
        traits.jwks && JSON.stringify(traits.jwks),
        traits.jwksUri,
        traits.requireDpop,
        traits.logoUri,
        seconds,
      ],
    );
    return row as Client;
  }
}
