import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';

/** Reads which issuers are trusted for identity assertions, and by which connections. */
@Injectable()
export class TrustedIssuerRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the ids of the connections of these issuers whose identity assertions are trusted, by
   * issuer, in order of id.
   */
  async listTrustedIds(issuers: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.database.rows<{ issuer: string; ids: string[] }>(
      prepared(`SELECT o.issuer, array_agg(c.id ORDER BY c.id) AS ids FROM oidc_connections o
         JOIN connections c ON c.tenant_id = o.tenant_id AND c.id = o.connection_id
       WHERE o.issuer = ANY($1) AND c.identity_assertions AND c.status = 'active' GROUP BY o.issuer`),
      [issuers],
    );
    return new Map(rows.map(({ issuer, ids }) => [issuer, ids]));
  }

  /** Returns the issuers of connections by OpenID Connect. */
  async listIssuers(ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<{ issuer: string }>(
      `SELECT o.issuer FROM connections c JOIN oidc_connections o ON o.tenant_id = c.tenant_id AND o.connection_id = c.id
       WHERE c.id = ANY($1)`,
      [ids],
    );
    return rows.map(({ issuer }) => issuer);
  }
}
