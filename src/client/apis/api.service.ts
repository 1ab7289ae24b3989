import { Inject, Injectable } from '@nestjs/common';
import { createClientSecret } from '../../platform/crypto/index.js';
import { AuditTrail } from '../../iam/index.js';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { isPlainUrl, type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import type { ApiScope } from './api.entity.js';
import { type Api, ApiRepository, type ApiTraits, type ReachedApi } from './api.repository.js';
import { LiveApis } from './live-apis.js';

/** Maximum number of APIs of an organization. */
const MAX_APIS = 100;

/** Seconds for which the previous credential remains valid: one day to deploy the new one. */
const CREDENTIAL_OVERLAP_SECONDS = 86_400;

/** Scopes of OpenID Connect: a request that names one asks for it, and not for an API's. */
const RESERVED_SCOPES: readonly string[] = ['openid', 'profile', 'email', 'tenant', 'offline_access'];

/** Omitted fields have their default, or stay as they are. */
type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What an API is registered with. */
interface ApiData extends Given<Omit<ApiTraits, 'identifier' | 'name'>> {
  readonly identifier: string;
  readonly name: string;
}

/** Secret by which an API asks for the state of tokens; the previous one is valid until then. */
interface ApiCredential {
  readonly clientSecret: string;
  readonly previousValidUntil: Date | null;
}

/**
 * Manages the APIs of the platform (`tenantId` null) or of one organization. The caller has checked
 * the permission before.
 */
@Injectable()
export class ApiService {
  private readonly own: string;
  private readonly audience: string;
  private readonly ownOrigins: ReadonlySet<string>;

  constructor(
    private readonly database: Database,
    private readonly apis: ApiRepository,
    private readonly live: LiveApis,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    @Inject(SETTINGS) { PUBLIC_URL, APP_URL, TOKEN_AUDIENCE }: Settings,
  ) {
    this.own = PUBLIC_URL;
    this.audience = TOKEN_AUDIENCE;
    this.ownOrigins = new Set([PUBLIC_URL, APP_URL].map((url) => new URL(url).origin));
  }

  /**
   * Registers an API.
   * @throws {AppError} validation-error for an identifier that is not in canonical form, or names
   *   this service; conflict if it is taken, or the organization has too many
   */
  async register(tenantId: TenantId | null, actorId: UserId | null, data: ApiData): Promise<Api> {
    const { identifier, name, scopes = [], accessTokenSeconds = 600, accessTokenAlg = 'ES256' } = data;
    this.requireIdentifier(tenantId, identifier);
    requireScopes(scopes);
    if (tenantId !== null && (await this.apis.count(tenantId)) >= MAX_APIS)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_APIS} APIs. Delete one that is not in use.`,
      });
    const traits = { identifier, name, scopes, accessTokenSeconds, accessTokenAlg };
    const id = newId();
    return this.database.transaction(async () => {
      if (!(await this.apis.insert({ id, tenantId, ...traits })))
        throw new AppError('conflict', { detail: 'The identifier is taken: each API has another.' });
      await this.lifecycle.emit('client.registered', { algs: [accessTokenAlg] });
      await this.record(tenantId, actorId, id, 'registered');
      return this.get(tenantId, id);
    });
  }

  /** @returns one more than `page.limit` if there are more */
  list(tenantId: TenantId | null, page: Page): Promise<Api[]> {
    return this.apis.list(tenantId, page);
  }

  /** @throws {AppError} not-found, also for another's */
  async get(tenantId: TenantId | null, id: string): Promise<Api> {
    return this.find(tenantId, id, false);
  }

  /**
   * Changes the given fields. A scope that is left out is in no token that is issued from now on.
   * @throws {AppError} not-found; validation-error
   */
  update(
    tenantId: TenantId | null,
    actorId: UserId | null,
    id: string,
    changes: Given<Omit<ApiTraits, 'identifier'>>,
  ): Promise<Api> {
    if (changes.scopes) requireScopes(changes.scopes);
    return this.database.transaction(async () => {
      const api = await this.find(tenantId, id, true);
      const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
      await this.apis.update(id, Object.fromEntries(entries));
      if (changes.accessTokenAlg)
        await this.lifecycle.emit('client.registered', { algs: [changes.accessTokenAlg] });
      await this.live.announce(api);
      await this.record(tenantId, actorId, id, 'updated');
      return this.get(tenantId, id);
    });
  }

  /**
   * Deletes an API. No tokens are issued for it, and its credentials are refused at once.
   * @throws {AppError} not-found
   */
  async delete(tenantId: TenantId | null, actorId: UserId | null, id: string): Promise<void> {
    await this.database.transaction(async () => {
      const api = await this.find(tenantId, id, true);
      await this.apis.delete(id);
      await this.live.announce(api);
      await this.record(tenantId, actorId, id, 'deleted');
    });
  }

  /**
   * Creates the secret by which the API asks for the state of its tokens. The previous one remains
   * valid for one day.
   * @throws {AppError} not-found
   */
  createCredential(tenantId: TenantId | null, actorId: UserId | null, id: string): Promise<ApiCredential> {
    const { plainSecret, secretHash } = createClientSecret();
    return this.database.transaction(async () => {
      const api = await this.find(tenantId, id, true);
      const until = await this.apis.replaceSecret(id, secretHash, CREDENTIAL_OVERLAP_SECONDS);
      await this.live.announce(api);
      await this.record(tenantId, actorId, id, 'credential-created');
      return { clientSecret: plainSecret, previousValidUntil: until };
    });
  }

  /**
   * Sets the scopes of an API that a client can have, which the caller has found.
   * @throws {AppError} not-found for another's API; validation-error for a scope that is not its
   */
  async setReach(
    tenantId: TenantId | null,
    actorId: UserId | null,
    { id, clientId, scopes }: { readonly id: string; readonly clientId: string; readonly scopes: string[] },
  ): Promise<void> {
    await this.database.transaction(async () => {
      const api = await this.find(tenantId, id, true);
      const violations = scopes.flatMap((scope, n): Violation[] =>
        api.scopes.some(({ name }) => name === scope)
          ? []
          : [{ propertyPath: `scopes[${n}]`, message: 'must be a scope of the API' }],
      );
      if (violations.length > 0) throw new AppError('validation-error', { violations });
      await this.apis.setReach(id, clientId, [...new Set(scopes)]);
      await this.live.announceReach(clientId, id);
      await this.record(tenantId, actorId, id, 'reach-changed');
    });
  }

  /**
   * Lists the APIs that a client reaches, which the caller has found.
   * @param tenantId organization that asks; null for operators
   * @returns one more than `page.limit` if there are more
   */
  listReached(tenantId: TenantId | null, clientId: string, page: Page): Promise<ReachedApi[]> {
    return this.apis.listReached(clientId, tenantId, page);
  }

  /** Removes what a client reached, which is deleted in the open transaction. */
  async removeReachOf(clientId: string): Promise<void> {
    const apiIds = await this.apis.removeReachOf(clientId);
    await this.live.announceReach(clientId, ...apiIds);
  }

  private async find(tenantId: TenantId | null, id: string, lock: boolean): Promise<Api> {
    const [api] = await this.apis.findAll([id], lock);
    if (api?.tenantId !== tenantId) throw new AppError('not-found');
    return api;
  }

  /**
   * Requires an identifier as it is compared, that is no address of this service: tokens for its
   * directories have one as their audience. An organization names nothing at the hosts of this
   * service, which may have other APIs.
   */
  private requireIdentifier(tenantId: TenantId | null, identifier: string): void {
    const fault = (message: string) => AppError.violation('identifier', message);
    if (!isPlainUrl(identifier))
      throw fault('must be an https address (http for localhost) without fragment');
    if (identifier === `${new URL(identifier).origin}/`) throw fault('must have no slash without a path');
    const isOwn = [this.own, this.audience].includes(identifier) || identifier.startsWith(`${this.own}/`);
    if (isOwn || (tenantId !== null && this.ownOrigins.has(new URL(identifier).origin)))
      throw fault('must not be an address of this service');
  }

  private async record(
    tenantId: TenantId | null,
    actorId: UserId | null,
    id: string,
    what: string,
  ): Promise<void> {
    if (actorId === null) return;
    await this.audit.record(
      tenantId === null
        ? { actorId, action: `api.${what}`, subject: `iam/apis/${id}` }
        : { actorId, tenantId, action: `client-api.${what}`, subject: `iam/client-apis/${id}` },
    );
  }
}

/** @throws {AppError} validation-error for a scope of OpenID Connect, and one that is repeated */
function requireScopes(scopes: readonly ApiScope[]): void {
  const violations = scopes.flatMap(({ name }, n): Violation[] => {
    const propertyPath = `scopes[${n}].name`;
    if (RESERVED_SCOPES.includes(name))
      return [{ propertyPath, message: 'must not be a scope of OpenID Connect' }];
    return scopes.findIndex((scope) => scope.name === name) === n
      ? []
      : [{ propertyPath, message: 'must not be repeated' }];
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}
