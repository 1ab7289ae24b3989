import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../platform/database/index.js';
import type { Page } from '../../platform/api/index.js';

/** A property of the platform, with a server of its own, that visitors are signed in at. */
export interface Satellite {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: string[];
  /** What its tokens carry; `*` alone is everything that the visitor holds. */
  readonly scopes: string[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

/** What a satellite's server proves itself with. */
export interface SatelliteSecrets {
  readonly id: string;
  readonly secretHash: Buffer;
  /** Null once its time is over. */
  readonly previousSecretHash: Buffer | null;
  readonly disabled: boolean;
}

/** What an operator can change. */
interface SatelliteChanges {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

const COLUMNS = `id, client_id AS "clientId", name, redirect_uris AS "redirectUris", scopes, created_at AS "createdAt", disabled_at AS "disabledAt"`;

/** By client id, as clients and paths name a satellite, or by id, as subjects of abilities do. The two never look alike. */
const NAMED = '(client_id = $1 OR id = $1)';

@Injectable()
export class SatelliteRepository {
  constructor(private readonly database: Database) {}

  /** Answers null where the client id is taken. */
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

  /** In order of id; one more than the limit, if there are that many. */
  list({ limit, after }: Page): Promise<Satellite[]> {
    return this.database.rows<Satellite>(
      `SELECT ${COLUMNS} FROM satellites WHERE $1::text IS NULL OR id > $1 ORDER BY id LIMIT $2`,
      [after, limit + 1],
    );
  }

  find(clientId: string): Promise<Satellite | null> {
    return this.database.row<Satellite>(prepared(`SELECT ${COLUMNS} FROM satellites WHERE client_id = $1`), [
      clientId,
    ]);
  }

  findNamed(idOrClientId: string): Promise<Satellite | null> {
    return this.database.row<Satellite>(`SELECT ${COLUMNS} FROM satellites WHERE ${NAMED}`, [idOrClientId]);
  }

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

  /** What is left out stays as it is. */
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

  /** Keeps the scopes as they are until the open transaction ends. */
  async findScopesForShare(clientId: string): Promise<string[] | null> {
    const sql = 'SELECT scopes FROM satellites WHERE client_id = $1 FOR SHARE';
    return (await this.database.row<Pick<Satellite, 'scopes'>>(sql, [clientId]))?.scopes ?? null;
  }

  /** The client ids of satellites from before there were scopes, which nobody has set since. */
  async findInherited(): Promise<string[]> {
    const rows = await this.database.rows<{ clientId: string }>(
      'SELECT client_id AS "clientId" FROM satellites WHERE scopes_inherited ORDER BY client_id',
    );
    return rows.map(({ clientId }) => clientId);
  }

  /** The secret of now goes on for a while beside the new one. Answers until when. */
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
