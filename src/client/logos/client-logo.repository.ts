import { Injectable } from '@nestjs/common';
import type { FetchedLogoType, Logo } from '../../iam/index.js';
import { Database, prepared } from '../../platform/database/index.js';

/** Copies of the logos of clients. */
@Injectable()
export class ClientLogoRepository {
  constructor(private readonly database: Database) {}

  /** Returns where the logo of a client is, by its id; null without one. */
  async findAddress(id: string): Promise<string | null> {
    const sql = 'SELECT logo_uri AS "logoUri" FROM satellites WHERE id = $1';
    return (await this.database.row<{ logoUri: string | null }>(sql, [id]))?.logoUri ?? null;
  }

  /**
   * Keeps the copy of a logo, if the client still has this address.
   * @returns its client id; null if it has not
   */
  async keep(id: string, logoUri: string, logo: Logo<FetchedLogoType>): Promise<string | null> {
    const row = await this.database.row<{ clientId: string }>(
      `UPDATE satellites SET logo = $3, logo_type = $4, logo_hash = $5
       WHERE id = $1 AND logo_uri = $2 RETURNING client_id AS "clientId"`,
      [id, logoUri, logo.image, logo.type, logo.hash],
    );
    return row?.clientId ?? null;
  }

  /** Finds the copy with this hash of a client, by id or client id, and of no other. */
  find(
    clientId: string,
    hash: string,
  ): Promise<{ readonly image: Buffer; readonly type: FetchedLogoType } | null> {
    return this.database.row(
      prepared(
        'SELECT logo AS image, logo_type AS type FROM satellites WHERE (client_id = $1 OR id = $1) AND logo_hash = $2',
      ),
      [clientId, hash],
    );
  }
}
