import { Injectable } from '@nestjs/common';
import { createClientSecret, matchesClientSecret } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { FIRST_PARTY_CLIENT, newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { ClientStatus } from '../status/client-status.js';
import { ClientChanges } from './client-changes.js';
import { type Changes, ClientCheck, requireTraits } from './client-check.js';
import { hasSatelliteCodes, isPlainSatellite, requireOfAnyProtocol, SAML_TRAITS } from './client-protocol.js';
import type { ClientCredentials } from './live-clients.js';
import { type ClientProtocol, type ClientType, hasSecret, sectorOf } from './client-traits.js';
import { fixedBy } from './client-profile.js';
import { ClientRepository, type Client } from './client.repository.js';

/**
 * Seconds for which the previous secret remains valid after a rotation: one day to deploy the new
 * one to every server.
 */
const SECRET_OVERLAP_SECONDS = 86_400;

/** Registration data of a client. */
export interface ClientData extends Changes {
  readonly clientId: string;
  readonly name: string;
  /** None by default. */
  readonly redirectUris?: string[] | undefined;
  /** Confidential if omitted. */
  readonly type?: ClientType | undefined;
  /** The organization: only its members can sign in to it. */
  readonly tenantId?: TenantId | undefined;
  /** `openid` if omitted. */
  readonly protocol?: ClientProtocol | undefined;
}

/**
 * Registers and changes clients, each identified by client id or id. `actorId` is null for the
 * command line, which authenticates no user.
 */
@Injectable()
export class ClientService {
  constructor(
    private readonly database: Database,
    private readonly clients: ClientRepository,
    private readonly check: ClientCheck,
    private readonly changes: ClientChanges,
    private readonly status: ClientStatus,
  ) {}

  /**
   * Registers a client.
   * @returns the client and its secret, which cannot be read again
   * @throws {AppError} conflict if the client id is taken; validation-error for a redirect URI
   *   that is not in canonical form, a scope that cannot be registered, or an organization that
   *   does not exist
   */
  async register(
    actorId: UserId | null,
    { clientId, type: named, tenantId, protocol = 'openid', ...data }: ClientData,
  ): Promise<{ client: Client; clientSecret?: string }> {
    if (clientId === FIRST_PARTY_CLIENT)
      throw AppError.violation('clientId', 'is reserved for the service itself');
    const type = named ?? 'confidential';
    const { satelliteCodes = isPlainSatellite({ ...data, type: named, tenantId }) } = data;
    const { firstParty = satelliteCodes } = data;
    const defaults = {
      redirectUris: [] as string[],
      tokenEndpointAuthMethod: type === 'public' ? 'none' : 'client_secret',
      subjectType: firstParty ? 'public' : 'pairwise',
      idTokenClaims: 'scopes',
    } as const;
    const chosen = this.check.requireSpelling({ scopes: [], ...given(data) });
    const fixed = fixedBy(data.security);
    const ofProtocol = protocol === 'saml' ? SAML_TRAITS : { satelliteCodes, type };
    const traits = { ...defaults, ...fixed, ...chosen, firstParty, ...ofProtocol };
    requireTraits({ ...traits, protocol, tenantId: tenantId ?? null });
    if (tenantId !== undefined) await this.check.requireTenant(tenantId);
    const { plainSecret, secretHash } = createClientSecret();
    // Shared, it would let an organization recognise the visitors of other clients of the host. An
    // app by SAML is promised an identifier that no other app knows.
    const isAlone = tenantId !== undefined || protocol === 'saml';
    const own = isAlone ? `client:${clientId}` : null;
    const sector = sectorOf({ sector: own, clientId, redirectUris: traits.redirectUris });
    return this.database.transaction(async () => {
      const client = await this.clients.insert({
        id: newId(),
        clientId,
        tenantId: tenantId ?? null,
        protocol,
        secretHash,
        sector,
        ...traits,
      });
      if (!client)
        throw new AppError('conflict', {
          reason: { id: 'satellite.client-id-taken', values: { clientId } },
        });
      await this.changes.noteRegistered(actorId, client);
      return {
        client,
        ...(hasSecret(client.tokenEndpointAuthMethod) && { clientSecret: plainSecret }),
      };
    });
  }

  /**
   * Lists clients in order of id.
   * @param protocol lists clients of this protocol only
   * @returns one more than `page.limit` if there are more
   */
  list(page: Page, protocol?: Client['protocol']): Promise<Client[]> {
    return this.clients.list(page, protocol);
  }

  /** @throws {AppError} not-found */
  async get(idOrClientId: string): Promise<Client> {
    return (await this.clients.findNamed(idOrClientId)) ?? AppError.notFound();
  }

  /**
   * Finds a client by client id; one by metadata document as it was when it was fetched last.
   * @returns null if it is not registered, or disabled
   */
  async findEnabled(clientId: string): Promise<Client | null> {
    const client = await this.clients.find(clientId);
    return client?.disabledAt === null ? client : null;
  }

  /** Finds the enabled client to whose address a logout returns; the oldest of several. */
  findByPostLogoutRedirectUri(uri: string): Promise<Client | null> {
    return this.clients.findByPostLogoutRedirectUri(uri);
  }

  /** Returns whether a client has tokens of RS256. */
  needsRsa(): Promise<boolean> {
    return this.clients.existsOf('RS256');
  }

  /**
   * Changes the given fields. New scopes are effective on each replica within the bounds of a
   * logout (API-5).
   * @param protocol of the changes: a client by SAML takes none of `openid`, and its addresses
   *   change with its settings of SAML
   * @throws {AppError} not-found; validation-error as for {@link register}
   */
  update(
    actorId: UserId | null,
    idOrClientId: string,
    data: Changes,
    protocol: ClientProtocol = 'openid',
  ): Promise<Client> {
    const { type: _type, ...fixed } = fixedBy(data.security);
    const changes = { ...fixed, ...this.check.requireSpelling(given(data)) };
    return this.database.transaction(async () => {
      const [current] = await this.clients.findAllNamed([idOrClientId], true);
      if (!current) throw new AppError('not-found');
      if (protocol === 'openid') requireOfAnyProtocol(current, changes);
      const client = (await this.clients.update(idOrClientId, changes)) ?? AppError.notFound();
      requireTraits(client);
      await this.changes.noteUpdated(actorId, client, changes);
      return client;
    });
  }

  /** Sets the scopes that the organization of a client allows it for all members. */
  async consentForMembers(actorId: UserId, client: Client, scopes: string[]): Promise<void> {
    await this.database.transaction(async () => {
      await this.clients.setConsented(client.id, scopes);
      await this.changes.note(actorId, client, scopes.length > 0 ? 'consented' : 'consent-withdrawn');
    });
  }

  /**
   * Replaces the secret. The previous one remains valid for one day.
   * @throws {AppError} not-found
   */
  rotateSecret(
    actorId: UserId | null,
    idOrClientId: string,
  ): Promise<{ clientId: string; clientSecret: string; previousValidUntil: Date }> {
    const { plainSecret, secretHash } = createClientSecret();
    return this.database.transaction(async () => {
      const until = await this.clients.replaceSecret(idOrClientId, secretHash, SECRET_OVERLAP_SECONDS);
      const client = until && (await this.clients.findNamed(idOrClientId));
      if (!client) throw new AppError('not-found');
      await this.changes.note(actorId, client, 'secret-rotated');
      return { clientId: client.clientId, clientSecret: plainSecret, previousValidUntil: until };
    });
  }

  /**
   * Disables a client: no codes are issued to it or accepted from it, and its tokens are
   * refused.
   * @throws {AppError} not-found
   */
  disable(actorId: UserId | null, idOrClientId: string): Promise<Client> {
    return this.database.transaction(async () => {
      const client = (await this.clients.setDisabled(idOrClientId, true)) ?? AppError.notFound();
      await this.status.disable(client.clientId);
      await this.changes.note(actorId, client, 'disabled');
      return client;
    });
  }

  /**
   * Enables a client; its earlier tokens are accepted again until they expire.
   * @throws {AppError} not-found
   */
  enable(actorId: UserId | null, idOrClientId: string): Promise<Client> {
    return this.database.transaction(async () => {
      const client = (await this.clients.setDisabled(idOrClientId, false)) ?? AppError.notFound();
      await this.status.enable(client.clientId);
      await this.changes.note(actorId, client, 'enabled');
      return client;
    });
  }

  /**
   * Authenticates a client that is registered for satellite codes. Takes as long for an unknown
   * client. Only a client with the right secret learns that it is registered for OpenID Connect.
   * @returns the client's id
   * @throws {AppError} invalid-client
   */
  async requireClient({ clientId, clientSecret }: ClientCredentials): Promise<string> {
    const [registered] = await this.clients.listRegistered([clientId]);
    const isProven = matchesClientSecret(clientSecret, registered?.secretHashes ?? [null, null]);
    if (!isProven || registered?.client.disabledAt !== null) throw new AppError('invalid-client');
    if (!hasSatelliteCodes(registered.client))
      throw new AppError('invalid-client', {
        detail: 'The client is registered for OpenID Connect. Use /oauth2/token, not satellite codes.',
      });
    return registered.client.id;
  }

  /** Locks a client in the open transaction, in which it gets another key, and records that. */
  async recordKey(actorId: UserId | null, clientId: string): Promise<void> {
    const [client] = await this.clients.findAllNamed([clientId], true);
    if (client) await this.changes.record(actorId, client, 'key-rotated');
  }
}

/** Leaves out what is not given. */
function given<T extends object>(data: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
