import { Injectable } from '@nestjs/common';
import { AbilityRegistry } from '../../ability/index.js';
import { AuditTrail } from '../../iam/index.js';
import { isPlainUrl } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { FIRST_PARTY_CLIENT, newId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { ClientRegistry, ClientStatus, type ClientCredentials } from '../../session/index.js';
import { createClientSecret, matchesClientSecret } from './client-secret.js';
import { requireRegistrableScopes } from './registrable-scopes.js';
import { SatelliteScopes } from './satellite-scopes.js';
import { SatelliteRepository, type Satellite } from './satellite.repository.js';

/**
 * Seconds for which the previous secret remains valid after a rotation: one day to deploy the new
 * one to every server.
 */
const SECRET_OVERLAP_SECONDS = 86_400;

/** Registration data of a satellite. */
export interface SatelliteData {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** None if omitted. */
  readonly scopes?: readonly string[];
}

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
    private readonly registry: AbilityRegistry,
    private readonly clients: ClientStatus,
    private readonly audit: AuditTrail,
  ) {
    super();
  }

  /**
   * Registers a satellite.
   * @returns the satellite and its secret, which cannot be read again
   * @throws {AppError} conflict if the client id is taken; validation-error for a redirect URI
   *   that is not in canonical form, or a scope that cannot be registered
   */
  register(
    actorId: UserId | null,
    { clientId, name, redirectUris, scopes = [] }: SatelliteData,
  ): Promise<{ satellite: Satellite; clientSecret: string }> {
    if (clientId === FIRST_PARTY_CLIENT)
      throw AppError.violation('clientId', 'is reserved for the service itself');
    requireRedirectUris(redirectUris);
    const registrable = requireRegistrableScopes(this.registry, scopes);
    const { plainSecret, secretHash } = createClientSecret();
    return this.database.transaction(async () => {
      const data = { clientId, name, redirectUris, scopes: registrable, secretHash };
      const satellite = await this.satellites.insert(newId(), data);
      if (!satellite)
        throw new AppError('conflict', {
          reason: { id: 'satellite.client-id-taken', values: { clientId } },
        });
      await this.record(actorId, satellite, 'registered');
      return { satellite, clientSecret: plainSecret };
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

  /**
   * Changes the given fields. New scopes are effective on each replica within the bounds of a
   * logout (API-5).
   * @throws {AppError} not-found; validation-error as for {@link register}
   */
  update(
    actorId: UserId | null,
    idOrClientId: string,
    { name, redirectUris, scopes }: Partial<SatelliteData>,
  ): Promise<Satellite> {
    if (redirectUris) requireRedirectUris(redirectUris);
    const registrable = scopes && requireRegistrableScopes(this.registry, scopes);
    return this.database.transaction(async () => {
      const changes = { name, redirectUris, scopes: registrable };
      const satellite = (await this.satellites.update(idOrClientId, changes)) ?? throwNotFound();
      if (registrable) await this.scopes.announceChange(satellite.clientId);
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
      await this.record(actorId, satellite, 'enabled');
      return satellite;
    });
  }

  /**
   * Finds the satellite that these credentials authenticate. Takes as long for an unknown client.
   * @returns the satellite's id; null if the secret is wrong or the satellite is disabled
   */
  async findClient({ clientId, clientSecret }: ClientCredentials): Promise<string | null> {
    const secrets = await this.satellites.findSecrets(clientId);
    const stored = [secrets?.secretHash ?? null, secrets?.previousSecretHash ?? null];
    const proven = matchesClientSecret(clientSecret, stored);
    return proven && secrets?.disabled === false ? secrets.id : null;
  }

  /**
   * Authenticates a satellite.
   * @returns the satellite's id
   * @throws {AppError} invalid-client
   */
  async requireClient(credentials: ClientCredentials): Promise<string> {
    const id = await this.findClient(credentials);
    if (id === null) throw new AppError('invalid-client');
    return id;
  }

  private async record(actorId: UserId | null, { id }: Satellite, what: string): Promise<void> {
    if (actorId)
      await this.audit.record({ actorId, action: `satellite.${what}`, subject: `iam/satellites/${id}` });
  }
}

function requireRedirectUris(redirectUris: readonly string[]): void {
  const violations = redirectUris.flatMap((uri, n): Violation[] =>
    isPlainUrl(uri)
      ? []
      : [
          {
            propertyPath: `redirectUris[${n}]`,
            message:
              'must be an https address (http for localhost) as a browser writes it, without user, fragment, wildcard or dot segments',
          },
        ],
  );
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}

function throwNotFound(): never {
  throw new AppError('not-found');
}
