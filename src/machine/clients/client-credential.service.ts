import { Injectable } from '@nestjs/common';
import { newId, type Principal, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { createApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { CredentialDirectory } from '../keys/credential-directory.js';
import { type Credential, CredentialRepository, ownedByAccount } from '../keys/credential.repository.js';
import { KeyIssuer } from '../keys/key-issuer.js';
import { expiryOf, violationsOfExpiry, warningOf } from '../keys/key-rules.js';
import { KeyPolicyRepository } from '../policy/key-policy.repository.js';
import { ClientDirectory } from './client-directory.js';
import { findKeyFault } from './client-key.js';
import type { CreateClientCredentialDto } from './client-credential.dto.js';

/** Credentials of one account that are valid at once. */
const MAX_CREDENTIALS = 10;
const KINDS = ['secret', 'jwk', 'jwks-uri'] as const;

/** Manages the credentials by which service accounts call the token endpoint. */
@Injectable()
export class ClientCredentialService {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly directory: CredentialDirectory,
    private readonly clients: ClientDirectory,
    private readonly issuer: KeyIssuer,
    private readonly policies: KeyPolicyRepository,
    private readonly http: CustomerHttp,
  ) {}

  list(tenantId: TenantId, accountId: string, page: Page): Promise<Credential[]> {
    return this.credentials.list(ownedByAccount(tenantId, accountId), KINDS, page);
  }

  /**
   * Creates a secret, which lives no longer than the organization lets keys live, or registers a
   * public key, which is no secret and does not expire.
   * @returns the credential, and a secret's plain text, which cannot be read again
   * @throws {AppError} validation-error on `jwk`, `jwksUri` or `expiresAt`; conflict beyond
   *   {@link MAX_CREDENTIALS}
   */
  async create(
    tenantId: TenantId,
    { userId }: Principal,
    accountId: string,
    { kind, name = 'Credential', jwk, jwksUri, expiresAt }: CreateClientCredentialDto,
  ): Promise<{ readonly credential: Credential; readonly plainSecret: string | null }> {
    const owner = ownedByAccount(tenantId, accountId);
    if (kind === 'public_key') this.requireKey(jwk as Record<string, unknown> | undefined, jwksUri);
    if ((await this.credentials.countLive(owner, KINDS)) >= MAX_CREDENTIALS)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_CREDENTIALS} credentials. Delete one first.`,
      });
    const expiry = await this.requireExpiry(tenantId, kind, expiresAt);
    const secret = kind === 'secret' ? createApiKey('cs') : null;
    const plainSecret = secret?.plainKey ?? null;
    const credential = await this.credentials.insert({
      ...owner,
      id: newId(),
      kind: kind === 'secret' ? 'secret' : jwk ? 'jwk' : 'jwks-uri',
      lookup: secret?.id ?? null,
      name,
      secretHash: plainSecret === null ? null : this.directory.hash(plainSecret),
      publicKey: kind === 'public_key' && jwk ? { ...jwk } : null,
      jwksUri: kind === 'public_key' && !jwk && jwksUri !== undefined ? jwksUri : null,
      scopes: null,
      networks: [],
      createdBy: userId,
      expiresAt: expiry,
      warnAt: warningOf(expiry),
    });
    await this.issuer.record('created', userId, credential);
    await this.clients.announce(accountId);
    return { credential, plainSecret };
  }

  private requireKey(jwk: Record<string, unknown> | undefined, jwksUri: string | undefined): void {
    if ((jwk === undefined) === (jwksUri === undefined))
      throw AppError.violation('jwk', 'is required, or jwksUri in its place');
    const fault = jwk === undefined ? null : findKeyFault(jwk);
    if (fault !== null) throw AppError.violation('jwk', fault);
    const unreachable = jwksUri === undefined ? null : this.http.findFault(jwksUri);
    if (unreachable !== null) throw AppError.violation('jwksUri', unreachable);
  }

  private async requireExpiry(
    tenantId: TenantId,
    kind: CreateClientCredentialDto['kind'],
    expiresAt: string | null | undefined,
  ): Promise<Date | null> {
    if (kind === 'public_key') {
      if (expiresAt) throw AppError.violation('expiresAt', 'is for a secret alone');
      return null;
    }
    const { maxLifetimeDays } = await this.policies.get(tenantId);
    const expiry = expiryOf(expiresAt, maxLifetimeDays ?? Infinity);
    const violations = violationsOfExpiry(expiry, maxLifetimeDays);
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return expiry;
  }

  /** @throws {AppError} not-found for a credential of another account */
  async delete(tenantId: TenantId, actorId: UserId, accountId: string, id: string): Promise<void> {
    const end = { by: actorId, reason: 'revoked' } as const;
    const ended = await this.credentials.end(ownedByAccount(tenantId, accountId), id, KINDS, end);
    if (!ended) throw new AppError('not-found');
    await this.issuer.recordEnded(actorId, [ended]);
  }
}
