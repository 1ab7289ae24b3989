import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import type { Page } from '../../platform/api/index.js';
import { SatelliteEntity } from './satellite.entity.js';

/** Columns of a satellite, without its secrets. */
export const SATELLITE = {
  id: true,
  clientId: true,
  tenantId: true,
  name: true,
  redirectUris: true,
  scopes: true,
  satelliteCodes: true,
  type: true,
  firstParty: true,
  grantTypes: true,
  tokenEndpointAuthMethod: true,
  subjectType: true,
  sidKey: true,
  sidKeySince: true,
  jwks: true,
  jwksUri: true,
  postLogoutRedirectUris: true,
  backchannelLogoutUri: true,
  requirePar: true,
  requireDpop: true,
  idTokenAlg: true,
  logoUri: true,
  logoHash: true,
  createdAt: true,
  disabledAt: true,
} as const;

/** A satellite without its secrets. */
export type Satellite = Selected<SatelliteEntity, typeof SATELLITE>;

/** A client, with what its requests are compared with. */
export interface RegisteredClient {
  readonly client: Satellite;
  /** Those that are accepted now: the current one, and the previous one during its overlap. */
  readonly secretHashes: readonly (Buffer | null)[];
  /** Null if it was registered before sectors. */
  readonly sector: string | null;
}

/** What an operator sets. */
export type SatelliteTraits = Omit<
  Satellite,
  'id' | 'clientId' | 'tenantId' | 'sidKey' | 'sidKeySince' | 'logoHash' | 'createdAt' | 'disabledAt'
>;

const COLUMNS = columnsOf(SatelliteEntity, '', SATELLITE);

/** The previous secret during its overlap; null after it. */
const PREVIOUS_SECRET =
  'CASE WHEN previous_secret_until > now() THEN previous_secret_hash END AS "previousSecretHash"';

/** By client id, as paths name a satellite, or by id, as ability subjects do. */
const NAMED = '(client_id = $1 OR id = $1)';

/** Registered satellites, with first-party clients of the operator. */
@Injectable()
export class SatelliteRepository {
  constructor(private readonly database: Database) {}

  /** @returns null if the client id is taken */
  async insert(
    satellite: Pick<SatelliteEntity, 'id' | 'clientId' | 'tenantId' | 'secretHash' | 'sector'> &
      Partial<SatelliteTraits>,
  ): Promise<Satellite | null> {
    const insert = this.database.repository(SatelliteEntity).createQueryBuilder().insert();
    const { raw } = await insert.values(satellite).orIgnore().returning(['id']).execute();
    return (raw as unknown[]).length === 0 ? null : this.find(satellite.clientId);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  async list({ limit, after }: Page): Promise<Satellite[]> {
    const where = after === null ? {} : { id: MoreThan(after) };
    const page = { select: SATELLITE, order: { id: 'ASC' }, take: limit + 1 } as const;
    return this.database.repository(SatelliteEntity).find({ where, ...page });
  }

  existsOf(idTokenAlg: Satellite['idTokenAlg']): Promise<boolean> {
    return this.database.repository(SatelliteEntity).exists({ where: { idTokenAlg } });
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

  /** Returns registrations by client ids; unknown ones are left out. */
  async listRegistered(clientIds: readonly string[]): Promise<RegisteredClient[]> {
    const rows = await this.database.rows<
      Satellite &
        Pick<RegisteredClient, 'sector'> &
        Record<'secretHash' | 'previousSecretHash', Buffer | null>
    >(
      prepared(`SELECT ${COLUMNS}, sector, secret_hash AS "secretHash", ${PREVIOUS_SECRET}
       FROM satellites WHERE client_id = ANY($1)`),
      [clientIds],
    );
    return rows.map(({ sector, secretHash, previousSecretHash, ...client }) => ({
      client,
      secretHashes: [secretHash, previousSecretHash],
      sector,
    }));
  }

  /** Changes the given fields only. The copy of a logo at another address is removed. */
  async update(idOrClientId: string, changes: Partial<SatelliteTraits>): Promise<Satellite | null> {
    const inherited = changes.scopes && { scopesInherited: false };
    const { logoUri } = changes;
    const moved = logoUri !== undefined && (await this.findNamed(idOrClientId))?.logoUri !== logoUri;
    const set = { ...changes, ...inherited, ...(moved && { logo: null, logoType: null, logoHash: null }) };
    if (Object.keys(set).length > 0) {
      const update = this.database.repository(SatelliteEntity).createQueryBuilder().update().set(set);
      await update.where('client_id = :id OR id = :id', { id: idOrClientId }).execute();
    }
    return this.findNamed(idOrClientId);
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
