import { Injectable } from '@nestjs/common';
import { AbilityRegistry } from '../../ability/index.js';
import { AuditTrail } from '../../iam/index.js';
import { isPlainUrl } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { FIRST_PARTY_CLIENT, newId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { ClientRegistry, ClientStatus, type ClientCredentials } from '../../session/index.js';
import { createClientSecret, isClientSecret } from './client-secret.js';
import { requireRegistrable } from './registrable-scopes.js';
import { SatelliteScopes } from './satellite-scopes.js';
import { SatelliteRepository, type Satellite } from './satellite.repository.js';

/** Two secrets are good for so long after a rotation: a day to bring the new one to every server. */
const SECRET_OVERLAP_SECONDS = 86_400;

/** What an operator says of a satellite. */
export interface SatelliteData {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** None where left out. */
  readonly scopes?: readonly string[];
}

/** The registered satellites, each named by its client id or its id. `actorId` is null for the command line, which nobody is signed in at. */
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
   * Registers a satellite. Its secret is given here and never again.
   * @throws {AppError} conflict for a client id that is taken; validation-error for a redirect URI that could lead elsewhere, or an unknown scope
   */
  register(
    actorId: UserId | null,
    { clientId, name, redirectUris, scopes = [] }: SatelliteData,
  ): Promise<{ satellite: Satellite; clientSecret: string }> {
    if (clientId === FIRST_PARTY_CLIENT)
      throw AppError.violation('clientId', 'is the name of the service itself');
    requireRedirectUris(redirectUris);
    const registrable = requireRegistrable(this.registry, scopes);
    const { plainSecret, secretHash } = createClientSecret();
    return this.database.transaction(async () => {
      const data = { clientId, name, redirectUris, scopes: registrable, secretHash };
      const satellite = await this.satellites.insert(newId(), data);
      if (!satellite)
        throw new AppError('conflict', {
          detail: `There is a satellite with the client id ${clientId} already.`,
        });
      await this.record(actorId, satellite, 'registered');
      return { satellite, clientSecret: plainSecret };
    });
  }

  list(page: Page): Promise<Satellite[]> {
    return this.satellites.list(page);
  }

  /** @throws {AppError} not-found */
  async get(idOrClientId: string): Promise<Satellite> {
    return (await this.satellites.findNamed(idOrClientId)) ?? missing();
  }

  /**
   * Changes what is named. New scopes act on every replica as soon as a logout would.
   * @throws {AppError} validation-error for a redirect URI that could lead elsewhere, or an unknown scope
   */
  update(
    actorId: UserId | null,
    idOrClientId: string,
    { name, redirectUris, scopes }: Partial<SatelliteData>,
  ): Promise<Satellite> {
    if (redirectUris) requireRedirectUris(redirectUris);
    const registrable = scopes && requireRegistrable(this.registry, scopes);
    return this.database.transaction(async () => {
      const changes = { name, redirectUris, scopes: registrable };
      const satellite = (await this.satellites.update(idOrClientId, changes)) ?? missing();
      if (registrable) await this.scopes.changed(satellite.clientId);
      await this.record(actorId, satellite, 'updated');
      return satellite;
    });
  }

  /** Gives a new secret; the one before is good for a day more. */
  rotateSecret(
    actorId: UserId | null,
    idOrClientId: string,
  ): Promise<{ clientId: string; clientSecret: string; previousValidUntil: Date }> {
    const { plainSecret, secretHash } = createClientSecret();
    return this.database.transaction(async () => {
      const until = await this.satellites.replaceSecret(idOrClientId, secretHash, SECRET_OVERLAP_SECONDS);
      const satellite = until && (await this.satellites.findNamed(idOrClientId));
      if (!satellite) return missing();
      await this.record(actorId, satellite, 'secret-rotated');
      return { clientId: satellite.clientId, clientSecret: plainSecret, previousValidUntil: until };
    });
  }

  /** No codes are given to it or taken from it any more, and the tokens that it has are refused. */
  disable(actorId: UserId | null, idOrClientId: string): Promise<Satellite> {
    return this.database.transaction(async () => {
      const satellite = (await this.satellites.setDisabled(idOrClientId, true)) ?? missing();
      await this.clients.disable(satellite.clientId);
      await this.record(actorId, satellite, 'disabled');
      return satellite;
    });
  }

  enable(actorId: UserId | null, idOrClientId: string): Promise<Satellite> {
    return this.database.transaction(async () => {
      const satellite = (await this.satellites.setDisabled(idOrClientId, false)) ?? missing();
      await this.clients.enable(satellite.clientId);
      await this.record(actorId, satellite, 'enabled');
      return satellite;
    });
  }

  /** Finds the satellite whose server proves itself by its secret. Costs the same for a client that does not exist. */
  async findClient({ clientId, clientSecret }: ClientCredentials): Promise<string | null> {
    const secrets = await this.satellites.findSecrets(clientId);
    const stored = [secrets?.secretHash ?? null, secrets?.previousSecretHash ?? null];
    const proven = isClientSecret(clientSecret, stored);
    return proven && secrets?.disabled === false ? secrets.id : null;
  }

  /**
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
              'must be an https address (http for localhost) as a browser spells it, without user, fragment, wildcard or dot segments',
          },
        ],
  );
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}

function missing(): never {
  throw new AppError('not-found');
}
