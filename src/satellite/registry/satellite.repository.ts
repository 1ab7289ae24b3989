import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import type { Page } from '../../platform/api/index.js';
import { SatelliteEntity } from './satellite.entity.js';

const SATELLITE = {
  id: true,
  clientId: true,
  name: true,
  redirectUris: true,
  scopes: true,
  createdAt: true,
  disabledAt: true,
} as const;

/** A satellite without its secrets. */
export type Satellite = Selected<SatelliteEntity, typeof SATELLITE>;

/** What the credentials of a satellite's server are compared with. */
export interface SatelliteSecrets {
  readonly id: string;
  readonly secretHash: Buffer;
  /** Null once its overlap is over. */
  readonly previousSecretHash: Buffer | null;
  readonly disabled: boolean;
}

interface SatelliteChanges {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

const COLUMNS = columnsOf(SatelliteEntity, '', SATELLITE);

/** By client id, as paths name a satellite, or by id, as ability subjects do. */
const NAMED = '(client_id = $1 OR id = $1)';

@Injectable()
export class SatelliteRepository {
  constructor(private readonly database: Database) {}

  /** @returns null if the client id is taken */
  insert(
    id: string,
    {
      clientId,
      name,
      redirectUris,
      scopes,
      secretHash,
    }: Pick<Satellite, 'clientId' | 'name'> & {
      readonly redirectUris: readonly string[];
      readonly scopes: readonly string[];
      readonly secretHash: Buffer;
    },
  ): Promise<Satellite | null> {
    return this.database.row<Satellite>(
      `INSERT INTO satellites (id, client_id, name, redirect_uris, scopes, secret_hash) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (client_id) DO NOTHING RETURNING ${COLUMNS}`,
      [id, clientId, name, redirectUris, scopes, secretHash],
    );
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  async list({ limit, after }: Page): Promise<Satellite[]> {
    const where = after === null ? {} : { id: MoreThan(after) };
    const page = { select: SATELLITE, order: { id: 'ASC' }, take: limit + 1 } as const;
    return this.database.repository(SatelliteEntity).find({ where, ...page });
  }

  find(clientId: string): Promise<Satellite | null> {
    return this.database.row<Satellite>(prepared(`SELECT ${COLUMNS} FROM satellites WHERE client_id = $1`), [
      clientId,
    ]);
  }

  async findNamed(idOrClientId: string): Promise<Satellite | null> {
    const where = [{ clientId: idOrClientId }, { id: idOrClientId }];
    return this.database.repository(SatelliteEntity).findOne({ where, select: SATELLITE });
  }

  /** Returns satellites by id or client id; locks them if asked to, in order of id. */
  findAllNamed(idsOrClientIds: readonly string[], lock: boolean): Promise<Satellite[]> {
    return this.database.rows<Satellite>(
      `SELECT ${COLUMNS} FROM satellites WHERE client_id = ANY($1) OR id = ANY($1) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [idsOrClientIds],
    );
  }

  findSecrets(clientId: string): Promise<SatelliteSecrets | null> {
    return this.database.row<SatelliteSecrets>(
      prepared(`SELECT id, secret_hash AS "secretHash", disabled_at IS NOT NULL AS disabled,
         CASE WHEN previous_secret_until > now() THEN previous_secret_hash END AS "previousSecretHash"
       FROM satellites WHERE client_id = $1`),
      [clientId],
    );
  }

  /** Changes the given fields only. */
  update(
    idOrClientId: string,
    {
      name,
      redirectUris,
      scopes,
    }: { readonly [K in keyof SatelliteChanges]?: SatelliteChanges[K] | undefined },
  ): Promise<Satellite | null> {
    return this.database.row<Satellite>(
      `UPDATE satellites SET name = coalesce($2, name), redirect_uris = coalesce($3::text[], redirect_uris),
         scopes = coalesce($4::text[], scopes), scopes_inherited = scopes_inherited AND $4::text[] IS NULL
       WHERE ${NAMED} RETURNING ${COLUMNS}`,
      [idOrClientId, name ?? null, redirectUris ?? null, scopes ?? null],
    );
  }

  findScopes(clientIds: readonly string[]): Promise<Pick<Satellite, 'clientId' | 'scopes'>[]> {
    return this.database.rows(
      prepared('SELECT client_id AS "clientId", scopes FROM satellites WHERE client_id = ANY($1)'),
      [clientIds],
    );
  }

  /** Locks the scopes against changes until the transaction ends. */
  async findScopesForShare(clientId: string): Promise<string[] | null> {
    const sql = 'SELECT scopes FROM satellites WHERE client_id = $1 FOR SHARE';
    return (await this.database.row<Pick<Satellite, 'scopes'>>(sql, [clientId]))?.scopes ?? null;
  }

  /** Returns client ids of satellites that predate scopes and whose scopes are not set yet. */
  async findInherited(): Promise<string[]> {
    const where = { scopesInherited: true };
    const rows = await this.database
      .repository(SatelliteEntity)
      .find({ where, select: { clientId: true }, order: { clientId: 'ASC' } });
    return rows.map(({ clientId }) => clientId);
  }

  /**
   * Keeps the replaced secret valid for a while.
   * @returns the time until which it is accepted; null if the satellite does not exist
   */
  async replaceSecret(
    idOrClientId: string,
    secretHash: Buffer,
    overlapSeconds: number,
  ): Promise<Date | null> {
    const row = await this.database.row<{ until: Date }>(
      `UPDATE satellites SET previous_secret_hash = secret_hash, previous_secret_until = now() + make_interval(secs => $3), secret_hash = $2
       WHERE ${NAMED} RETURNING previous_secret_until AS until`,
      [idOrClientId, secretHash, overlapSeconds],
    );
    return row?.until ?? null;
  }

  setDisabled(idOrClientId: string, disabled: boolean): Promise<Satellite | null> {
    return this.database.row<Satellite>(
      `UPDATE satellites SET disabled_at = CASE WHEN $2 THEN now() END WHERE ${NAMED} RETURNING ${COLUMNS}`,
      [idOrClientId, disabled],
    );
  }
}
