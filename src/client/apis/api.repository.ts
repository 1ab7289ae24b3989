import { Injectable } from '@nestjs/common';
import { NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { ApiClientEntity } from './api.entity.js';
import { ApiEntity } from './api.entity.js';

const API = {
  id: true,
  tenantId: true,
  identifier: true,
  name: true,
  scopes: true,
  accessTokenSeconds: true,
  accessTokenAlg: true,
  createdAt: true,
} as const;

/** An API without its secrets. */
export type Api = Selected<ApiEntity, typeof API>;

/** What is set of an API. */
export type ApiTraits = Omit<Api, 'id' | 'tenantId' | 'createdAt'>;

/** An API that a client reaches, with the scopes that it can have. */
export interface ReachedApi extends Pick<Api, 'identifier' | 'name'> {
  readonly apiId: string;
  readonly scopes: string[];
}

/** An API, with the hashes of the secrets that are accepted now. */
export interface RegisteredApi {
  readonly api: Api;
  readonly secretHashes: readonly (Buffer | null)[];
}

const COLUMNS = columnsOf(ApiEntity, '', API);
const PREVIOUS_SECRET =
  'CASE WHEN previous_secret_until > now() THEN previous_secret_hash END AS "previousSecretHash"';

/** Registered APIs, and which scopes of them each client reaches. */
@Injectable()
export class ApiRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if the identifier is taken */
  async insert(api: Omit<Api, 'createdAt'>): Promise<boolean> {
    const insert = this.database.repository(ApiEntity).createQueryBuilder().insert().values(api);
    return ((await insert.orIgnore().returning('id').execute()).raw as unknown[]).length === 1;
  }

  /**
   * Lists the APIs of an organization, or of the platform.
   * @returns a page in order of id, and one row more if there is a next page
   */
  list(tenantId: TenantId | null, { limit, after }: Page): Promise<Api[]> {
    return this.database.rows<Api>(
      tenantId === null
        ? `SELECT ${COLUMNS} FROM apis WHERE tenant_id IS NULL AND id > $1 ORDER BY id LIMIT $2`
        : `SELECT ${COLUMNS} FROM apis WHERE tenant_id = $3 AND id > $1 ORDER BY id LIMIT $2`,
      [after ?? '', limit + 1, ...(tenantId === null ? [] : [tenantId])],
    );
  }

  count(tenantId: TenantId): Promise<number> {
    return this.database.repository(ApiEntity).count({ where: { tenantId } });
  }

  /** Returns APIs by id; locks them if asked to, in order of id. */
  findAll(ids: readonly string[], lock: boolean): Promise<Api[]> {
    return this.database.rows<Api>(
      `SELECT ${COLUMNS} FROM apis WHERE id = ANY($1) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [ids],
    );
  }

  /** Returns APIs by id or identifier; unknown ones are left out. */
  async listRegistered(names: readonly string[]): Promise<RegisteredApi[]> {
    const rows = await this.database.rows<Api & Record<'secretHash' | 'previousSecretHash', Buffer | null>>(
      prepared(`SELECT ${COLUMNS}, secret_hash AS "secretHash", ${PREVIOUS_SECRET}
       FROM apis WHERE id = ANY($1) OR identifier = ANY($1)`),
      [names],
    );
    return rows.map(({ secretHash, previousSecretHash, ...api }) => ({
      api,
      secretHashes: [secretHash, previousSecretHash],
    }));
  }

  /** Names the APIs of an organization in its audit trail. */
  @NamedInTrail({ collection: 'iam/client-apis', scope: 'iam:client:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const sql =
      prepared(`SELECT a.tenant_id AS "tenantId", a.id, a.name FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, id)
       JOIN apis a ON a.tenant_id = asked.tenant_id AND a.id = asked.id`);
    return this.database.rows(sql, [tenantIds, ids]);
  }

  async update(id: string, changes: Partial<ApiTraits>): Promise<void> {
    if (Object.keys(changes).length > 0) await this.database.repository(ApiEntity).update({ id }, changes);
  }

  async delete(id: string): Promise<void> {
    await this.database.repository(ApiEntity).delete({ id });
  }

  /**
   * Keeps the replaced secret valid for a while.
   * @returns the time until which it is accepted; null for a first secret
   */
  replaceSecret(id: string, secretHash: Buffer, overlapSeconds: number): Promise<Date | null> {
    return this.database.value(
      `UPDATE apis SET previous_secret_hash = secret_hash, secret_hash = $2,
         previous_secret_until = CASE WHEN secret_hash IS NOT NULL THEN now() + make_interval(secs => $3) END
       WHERE id = $1 RETURNING previous_secret_until`,
      [id, secretHash, overlapSeconds],
    );
  }

  /** Sets the scopes that a client reaches; none ends its reach. */
  async setReach(apiId: string, clientId: string, scopes: readonly string[]): Promise<void> {
    if (scopes.length === 0) await this.database.repository(ApiClientEntity).delete({ apiId, clientId });
    else
      await this.database.rows(
        `INSERT INTO api_clients (api_id, client_id, scopes) VALUES ($1, $2, $3)
         ON CONFLICT (api_id, client_id) DO UPDATE SET scopes = excluded.scopes`,
        [apiId, clientId, scopes],
      );
  }

  /** Returns what clients reach, by pairs of client and API. */
  listReach(pairs: readonly (readonly [clientId: string, apiId: string])[]): Promise<ApiClientEntity[]> {
    return this.database.rows<ApiClientEntity>(
      prepared(`SELECT ${columnsOf(ApiClientEntity, 'c')}
       FROM unnest($1::text[], $2::text[]) asked (client_id, api_id)
       JOIN api_clients c ON c.api_id = asked.api_id AND c.client_id = asked.client_id`),
      [pairs.map(([clientId]) => clientId), pairs.map(([, apiId]) => apiId)],
    );
  }

  /**
   * Lists the APIs that a client reaches: for an organization, its own and the platform's.
   * @param tenantId null for all
   * @returns a page in order of id, and one row more if there is a next page
   */
  listReached(clientId: string, tenantId: TenantId | null, { limit, after }: Page): Promise<ReachedApi[]> {
    return this.database.rows<ReachedApi>(
      `SELECT a.id AS "apiId", a.identifier, a.name, c.scopes FROM api_clients c JOIN apis a ON a.id = c.api_id
       WHERE c.client_id = $1 AND a.id > $2 AND ($4::text IS NULL OR coalesce(a.tenant_id, $4) = $4) ORDER BY a.id LIMIT $3`,
      [clientId, after ?? '', limit + 1, tenantId],
    );
  }

  /** Removes what a deleted client reached. @returns the ids of the APIs */
  removeReachOf(clientId: string): Promise<string[]> {
    return this.database.values('DELETE FROM api_clients WHERE client_id = $1 RETURNING api_id', [clientId]);
  }
}
