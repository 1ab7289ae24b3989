import { Injectable } from '@nestjs/common';
import type { FetchedLogoType, Logo } from '../../iam/index.js';
import { Database, prepared } from '../../platform/database/index.js';

/** Copies of the logos of clients. */
@Injectable()
export class ClientLogoRepository {
  constructor(private readonly database: Database) {}

  /** Returns where the logo of a client is, by its id; null without one. */
  findAddress(id: string): Promise<string | null> {
    return this.database.value('SELECT logo_uri FROM satellites WHERE id = $1', [id]);
  }

  /**
   * Keeps the copy of a logo, if the client still has this address.
   * @returns its client id; null if it has not
   */
  keep(id: string, logoUri: string, logo: Logo<FetchedLogoType>): Promise<string | null> {
    return this.database.value(
      `UPDATE satellites SET logo = $3, logo_type = $4, logo_hash = $5
       WHERE id = $1 AND logo_uri = $2 RETURNING client_id`,
      [id, logoUri, logo.image, logo.type, logo.hash],
    );
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
