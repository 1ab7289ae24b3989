import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import type { Page } from '../../platform/api/index.js';
import { ClientEntity } from './client.entity.js';

/** Columns of a client, without its secrets. */
export const SATELLITE = {
  id: true,
  clientId: true,
  tenantId: true,
  name: true,
  redirectUris: true,
  scopes: true,
  protocol: true,
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
  accessTokenAlg: true,
  requirePkce: true,
  security: true,
  idTokenClaims: true,
  assertionAudiences: true,
  consentedScopes: true,
  logoUri: true,
  logoHash: true,
  documentFetchedAt: true,
  documentExpiresAt: true,
  createdAt: true,
  disabledAt: true,
} as const;

/** A client without its secrets. */
export type Client = Selected<ClientEntity, typeof SATELLITE>;

/** A client, with what its requests are compared with. */
export interface RegisteredClient {
  readonly client: Client;
  /** Those that are accepted now: the current one, and the previous one during its overlap. */
  readonly secretHashes: readonly (Buffer | null)[];
  /** Null if it was registered before sectors. */
  readonly sector: string | null;
}

/** What an operator sets. */
export type ClientTraits = Omit<
  Client,
  | 'id'
  | 'clientId'
  | 'tenantId'
  | 'protocol'
  | 'sidKey'
  | 'sidKeySince'
  | 'consentedScopes'
  | 'logoHash'
  | 'documentFetchedAt'
  | 'documentExpiresAt'
  | 'createdAt'
  | 'disabledAt'
>;

const COLUMNS = columnsOf(ClientEntity, '', SATELLITE);

/** The previous secret during its overlap; null after it. */
const PREVIOUS_SECRET =
  'CASE WHEN previous_secret_until > now() THEN previous_secret_hash END AS "previousSecretHash"';

/** By client id, as paths name a client, or by id, as ability subjects do. */
const NAMED = '(client_id = $1 OR id = $1)';

/** Registered clients, with first-party clients of the operator. */
@Injectable()
export class ClientRepository {
  constructor(private readonly database: Database) {}

  /** @returns null if the client id is taken */
  async insert(
    client: Pick<ClientEntity, 'id' | 'clientId' | 'tenantId' | 'protocol' | 'secretHash' | 'sector'> &
      Partial<ClientTraits>,
  ): Promise<Client | null> {
    const insert = this.database.repository(ClientEntity).createQueryBuilder().insert();
    const { raw } = await insert.values(client).orIgnore().returning(['id']).execute();
    return (raw as unknown[]).length === 0 ? null : this.find(client.clientId);
  }

  /**
   * Lists registered clients.
   * @returns a page in order of id, and one row more if there is a next page
   */
  async list({ limit, after }: Page, protocol?: Client['protocol']): Promise<Client[]> {
    const where = {
      documentFetchedAt: IsNull(),
      ...(protocol && { protocol }),
      ...(after !== null && { id: MoreThan(after) }),
    };
    const page = { select: SATELLITE, order: { id: 'ASC' }, take: limit + 1 } as const;
    return this.database.repository(ClientEntity).find({ where, ...page });
  }

  existsOf(alg: Client['idTokenAlg']): Promise<boolean> {
    const where = [{ idTokenAlg: alg }, { accessTokenAlg: alg }];
    return this.database.repository(ClientEntity).exists({ where });
  }

  find(clientId: string): Promise<Client | null> {
    return this.database.row<Client>(prepared(`SELECT ${COLUMNS} FROM satellites WHERE client_id = $1`), [
      clientId,
    ]);
  }

  async findNamed(idOrClientId: string): Promise<Client | null> {
    const where = [{ clientId: idOrClientId }, { id: idOrClientId }];
    return this.database.repository(ClientEntity).findOne({ where, select: SATELLITE });
  }

  /** Returns clients by id or client id; locks them if asked to, in order of id. */
  findAllNamed(idsOrClientIds: readonly string[], lock: boolean): Promise<Client[]> {
    return this.database.rows<Client>(
      `SELECT ${COLUMNS} FROM satellites WHERE client_id = ANY($1) OR id = ANY($1) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [idsOrClientIds],
    );
  }

  /** Returns registrations by client ids; unknown ones are left out. */
  async listRegistered(clientIds: readonly string[]): Promise<RegisteredClient[]> {
    const rows = await this.database.rows<
      Client & Pick<RegisteredClient, 'sector'> & Record<'secretHash' | 'previousSecretHash', Buffer | null>
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
  async update(idOrClientId: string, changes: Partial<ClientTraits>): Promise<Client | null> {
    const inherited = changes.scopes && { scopesInherited: false };
    const { logoUri } = changes;
    const moved = logoUri !== undefined && (await this.findNamed(idOrClientId))?.logoUri !== logoUri;
    const set = { ...changes, ...inherited, ...(moved && { logo: null, logoType: null, logoHash: null }) };
    if (Object.keys(set).length > 0) {
      const update = this.database.repository(ClientEntity).createQueryBuilder().update().set(set);
      await update.where('client_id = :id OR id = :id', { id: idOrClientId }).execute();
    }
    return this.findNamed(idOrClientId);
  }

  /** Sets the scopes that the organization allows a client for all members. */
  async setConsented(id: string, consentedScopes: string[]): Promise<void> {
    await this.database.repository(ClientEntity).update({ id }, { consentedScopes });
  }

  /** Finds the enabled client to whose address a logout returns; the oldest of several. */
  findByPostLogoutRedirectUri(uri: string): Promise<Client | null> {
    return this.database.row<Client>(
      // OFFSET 0: the planner would else walk all clients in order of id until it finds one.
      prepared(`SELECT * FROM (SELECT ${COLUMNS} FROM satellites
         WHERE post_logout_redirect_uris @> ARRAY[$1::text] AND disabled_at IS NULL OFFSET 0) found
       ORDER BY id LIMIT 1`),
      [uri],
    );
  }

  findScopes(clientIds: readonly string[]): Promise<Pick<Client, 'clientId' | 'scopes'>[]> {
    return this.database.rows(
      prepared('SELECT client_id AS "clientId", scopes FROM satellites WHERE client_id = ANY($1)'),
      [clientIds],
    );
  }

  /** Locks the scopes against changes until the transaction ends. */
  findScopesForShare(clientId: string): Promise<string[] | null> {
    return this.database.value('SELECT scopes FROM satellites WHERE client_id = $1 FOR SHARE', [clientId]);
  }

  /** Returns client ids of clients that predate scopes and whose scopes are not set yet. */
  async findInherited(): Promise<string[]> {
    const where = { scopesInherited: true };
    const rows = await this.database
      .repository(ClientEntity)
      .find({ where, select: { clientId: true }, order: { clientId: 'ASC' } });
    return rows.map(({ clientId }) => clientId);
  }

  /**
   * Keeps the replaced secret valid for a while.
   * @returns the time until which it is accepted; null if the client does not exist
   */
  replaceSecret(idOrClientId: string, secretHash: Buffer, overlapSeconds: number): Promise<Date | null> {
    return this.database.value(
      `UPDATE satellites SET previous_secret_hash = secret_hash, previous_secret_until = now() + make_interval(secs => $3), secret_hash = $2
       WHERE ${NAMED} RETURNING previous_secret_until`,
      [idOrClientId, secretHash, overlapSeconds],
    );
  }

  setDisabled(idOrClientId: string, disabled: boolean): Promise<Client | null> {
    return this.database.row<Client>(
      `UPDATE satellites SET disabled_at = CASE WHEN $2 THEN now() END WHERE ${NAMED} RETURNING ${COLUMNS}`,
      [idOrClientId, disabled],
    );
  }
}
