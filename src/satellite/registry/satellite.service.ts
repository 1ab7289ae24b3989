import { Injectable } from '@nestjs/common';
import { AbilityRegistry } from '../../ability/index.js';
import { AuditTrail, MembershipDirectory } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { FIRST_PARTY_CLIENT, newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { ClientRegistry, ClientStatus, type ClientCredentials } from '../../session/index.js';
import { ClientLogos } from '../logos/client-logos.js';
import { requireAddresses } from './client-addresses.js';
import { hasSatelliteCodes, isPlainSatellite, requireOneProtocol } from './client-protocol.js';
import { createClientSecret, matchesClientSecret } from './client-secret.js';
import { requireRegistrableScopes } from './registrable-scopes.js';
import { LiveClients } from './live-clients.js';
import { SatelliteScopes } from './satellite-scopes.js';
import { type ClientType, hasSecret, sectorOf } from './client-traits.js';
import { requireKeysOfMethod } from './client-jwks.js';
import { SatelliteRepository, type Satellite, type SatelliteTraits } from './satellite.repository.js';

/**
 * Seconds for which the previous secret remains valid after a rotation: one day to deploy the new
 * one to every server.
 */
const SECRET_OVERLAP_SECONDS = 86_400;

/** Registration data of a satellite. */
export interface SatelliteData extends Changes {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: string[];
  /** Confidential if omitted. */
  readonly type?: ClientType | undefined;
  /** Organization whose members alone can sign in to it. */
  readonly tenantId?: TenantId | undefined;
}

/** What can be changed. Omitted fields have a default, or stay as they are. */
export type Changes = {
  readonly [K in keyof Omit<SatelliteTraits, 'type'>]?: SatelliteTraits[K] | undefined;
};

/**
 * Registers and changes satellites, each identified by client id or id. `actorId` is null for the
 * command line, which authenticates no user.
 */
@Injectable()
export class SatelliteService extends ClientRegistry {
  constructor(
    private readonly database: Database,
    private readonly satellites: SatelliteRepository,
    private readonly scopes: SatelliteScopes,
    private readonly live: LiveClients,
    private readonly registry: AbilityRegistry,
    private readonly clients: ClientStatus,
    private readonly audit: AuditTrail,
    private readonly directory: MembershipDirectory,
    private readonly logos: ClientLogos,
    private readonly lifecycle: Lifecycle,
  ) {
    super();
  }

  /**
   * Registers a satellite.
   * @returns the satellite and its secret, which cannot be read again
   * @throws {AppError} conflict if the client id is taken; validation-error for a redirect URI
   *   that is not in canonical form, a scope that cannot be registered, or an organization that
   *   does not exist
   */
  async register(
    actorId: UserId | null,
    { clientId, type: named, tenantId, ...data }: SatelliteData,
  ): Promise<{ satellite: Satellite; clientSecret?: string }> {
    if (clientId === FIRST_PARTY_CLIENT)
      throw AppError.violation('clientId', 'is reserved for the service itself');
    const type = named ?? 'confidential';
    const { satelliteCodes = isPlainSatellite({ ...data, type: named, tenantId }) } = data;
    const { firstParty = satelliteCodes } = data;
    const defaults = {
      tokenEndpointAuthMethod: type === 'public' ? 'none' : 'client_secret_basic',
      subjectType: firstParty ? 'public' : 'pairwise',
    } as const;
    const chosen = this.requireTraits({ scopes: [], ...given(data) });
    const traits = { ...defaults, ...chosen, satelliteCodes, firstParty, type };
    requireMethodOfType(traits);
    requireKeysOfMethod(traits);
    requireOneProtocol({ ...traits, tenantId: tenantId ?? null });
    if (tenantId !== undefined && (await this.directory.findState(tenantId, false)) === null)
      throw AppError.violation('tenantId', 'There is no such organization.');
    const { plainSecret, secretHash } = createClientSecret();
    // Shared, it would let an organization recognise the visitors of other clients of the host.
    const own = tenantId === undefined ? null : `client:${clientId}`;
    const sector = sectorOf({ sector: own, clientId, redirectUris: data.redirectUris });
    return this.database.transaction(async () => {
      const satellite = await this.satellites.insert({
        id: newId(),
        clientId,
        tenantId: tenantId ?? null,
        secretHash,
        sector,
        ...traits,
      });
      if (!satellite)
        throw new AppError('conflict', {
          reason: { id: 'satellite.client-id-taken', values: { clientId } },
        });
      await this.logos.queue(satellite);
      await this.lifecycle.emit('client.registered', satellite);
      await this.record(actorId, satellite, 'registered');
      return {
        satellite,
        ...(hasSecret(satellite.tokenEndpointAuthMethod) && { clientSecret: plainSecret }),
      };
    });
  }

  /**
   * Lists satellites in order of id.
   * @returns one more than `page.limit` if there are more
   */
  list(page: Page): Promise<Satellite[]> {
    return this.satellites.list(page);
  }

  /** @throws {AppError} not-found */
  async get(idOrClientId: string): Promise<Satellite> {
    return (await this.satellites.findNamed(idOrClientId)) ?? throwNotFound();
  }

  /** Finds a satellite by client id. @returns null if it is not registered, or disabled */
  async findEnabled(clientId: string): Promise<Satellite | null> {
    const satellite = await this.satellites.find(clientId);
    return satellite?.disabledAt === null ? satellite : null;
  }

  /** Returns whether a client has ID tokens of this algorithm. */
  hasClientOf(idTokenAlg: Satellite['idTokenAlg']): Promise<boolean> {
    return this.satellites.existsOf(idTokenAlg);
  }

  /** Returns whose clients share the identifiers of people with this one. */
  async getSector({ clientId, redirectUris }: Satellite): Promise<string> {
    const registered = await this.live.find(clientId);
    return sectorOf({ sector: registered?.sector ?? null, clientId, redirectUris });
  }

  /**
   * Finds a client of the endpoints of OAuth, by the cache of {@link LiveClients}.
   * @returns null if it is not registered, or disabled
   */
  async findLive(clientId: string): Promise<Satellite | null> {
    const registered = await this.live.find(clientId);
    return registered?.client.disabledAt === null ? registered.client : null;
  }

  /**
   * Finds the client of the endpoints of OAuth that has this secret, as {@link findLive} does.
   * Compares in constant time, also for an unknown client.
   * @returns null if the secret is wrong, or the client is not registered, or disabled
   */
  async findProvenLive({ clientId, clientSecret }: ClientCredentials): Promise<Satellite | null> {
    const registered = await this.live.find(clientId);
    const isProven = matchesClientSecret(clientSecret, registered?.secretHashes ?? [null, null]);
    return isProven && registered?.client.disabledAt === null ? registered.client : null;
  }

  /**
   * Changes the given fields. New scopes are effective on each replica within the bounds of a
   * logout (API-5).
   * @throws {AppError} not-found; validation-error as for {@link register}
   */
  update(actorId: UserId | null, idOrClientId: string, data: Changes): Promise<Satellite> {
    const changes = this.requireTraits(given(data));
    return this.database.transaction(async () => {
      const [current] = await this.satellites.findAllNamed([idOrClientId], true);
      requireOneProtocol({ ...(current ?? throwNotFound()), ...changes });
      const satellite = (await this.satellites.update(idOrClientId, changes)) ?? throwNotFound();
      requireMethodOfType(satellite);
      requireKeysOfMethod(satellite);
      if (changes.scopes) await this.scopes.announceChange(satellite.clientId);
      if (changes.logoUri !== undefined) await this.logos.queue(satellite);
      await this.live.announce(satellite.clientId);
      if (changes.idTokenAlg) await this.lifecycle.emit('client.registered', satellite);
      await this.record(actorId, satellite, 'updated');
      return satellite;
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
      const until = await this.satellites.replaceSecret(idOrClientId, secretHash, SECRET_OVERLAP_SECONDS);
      const satellite = until && (await this.satellites.findNamed(idOrClientId));
      if (!satellite) return throwNotFound();
      await this.live.announce(satellite.clientId);
      await this.record(actorId, satellite, 'secret-rotated');
      return { clientId: satellite.clientId, clientSecret: plainSecret, previousValidUntil: until };
    });
  }

  /**
   * Disables a satellite: no codes are issued to it or accepted from it, and its tokens are
   * refused.
   * @throws {AppError} not-found
   */
  disable(actorId: UserId | null, idOrClientId: string): Promise<Satellite> {
    return this.database.transaction(async () => {
      const satellite = (await this.satellites.setDisabled(idOrClientId, true)) ?? throwNotFound();
      await this.clients.disable(satellite.clientId);
      await this.live.announce(satellite.clientId);
      await this.record(actorId, satellite, 'disabled');
      return satellite;
    });
  }

  /**
   * Enables a satellite; its earlier tokens are accepted again until they expire.
   * @throws {AppError} not-found
   */
  enable(actorId: UserId | null, idOrClientId: string): Promise<Satellite> {
    return this.database.transaction(async () => {
      const satellite = (await this.satellites.setDisabled(idOrClientId, false)) ?? throwNotFound();
      await this.clients.enable(satellite.clientId);
      await this.live.announce(satellite.clientId);
      await this.record(actorId, satellite, 'enabled');
      return satellite;
    });
  }

  /**
   * Authenticates a satellite that is registered for satellite codes. Takes as long for an unknown
   * client. Only a client with the right secret learns that it is registered for OpenID Connect.
   * @returns the satellite's id
   * @throws {AppError} invalid-client
   */
  async requireClient({ clientId, clientSecret }: ClientCredentials): Promise<string> {
    const [registered] = await this.satellites.listRegistered([clientId]);
    const isProven = matchesClientSecret(clientSecret, registered?.secretHashes ?? [null, null]);
    if (!isProven || registered?.client.disabledAt !== null) throw new AppError('invalid-client');
    if (!hasSatelliteCodes(registered.client))
      throw new AppError('invalid-client', {
        detail: 'The client is registered for OpenID Connect. Use /oauth2/token, not satellite codes.',
      });
    return registered.client.id;
  }

  /** @throws {AppError} validation-error for an address in another spelling, or a scope */
  private requireTraits<T extends Changes>(traits: T): T {
    requireAddresses(traits);
    const scopes = traits.scopes && requireRegistrableScopes(this.registry, traits.scopes);
    return { ...traits, ...(scopes && { scopes }) };
  }

  /** Records also what an operator does to the client of an organization in the trail of that. */
  private async record(actorId: UserId | null, { id, tenantId }: Satellite, what: string): Promise<void> {
    if (!actorId) return;
    await this.audit.record(
      tenantId === null
        ? { actorId, action: `satellite.${what}`, subject: `iam/satellites/${id}` }
        : { actorId, tenantId, action: `client.${what}`, subject: `iam/clients/${id}` },
    );
  }
}

/** Leaves out what is not given. */
function given<T extends object>(data: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** A public client has no secret to authenticate with, and a confidential one must use it. */
function requireMethodOfType({
  type,
  tokenEndpointAuthMethod: method,
}: Pick<SatelliteTraits, 'type' | 'tokenEndpointAuthMethod'>): void {
  if ((type === 'public') !== (method === 'none'))
    throw AppError.violation('tokenEndpointAuthMethod', 'must be none for a public client, and only for one');
}

function throwNotFound(): never {
  throw new AppError('not-found');
}
