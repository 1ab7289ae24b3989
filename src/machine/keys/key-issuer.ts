import { Injectable } from '@nestjs/common';
import {
  AbilityRegistry,
  denialError,
  denyByState,
  forbid,
  isForMachines,
  type ScopePredicate,
} from '../../ability/index.js';
import { AuditTrail } from '../../iam/index.js';
import { newId, type UserId } from '../../kernel/index.js';
import { createApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ClientDirectory } from '../clients/client-directory.js';
import { CredentialDirectory } from './credential-directory.js';
import {
  type Credential,
  CredentialRepository,
  type EndedCredential,
  type Owner,
} from './credential.repository.js';
import { KIND_OF_OWNER } from './credential.entity.js';
import type { CreateApiKeyDto } from './key.dto.js';
import { KeyPolicyRepository } from '../policy/key-policy.repository.js';
import {
  DEFAULT_LIFETIME_DAYS,
  expiryOf,
  requireRoomForKey,
  violationsOfExpiry,
  violationsOfRestrictions,
  warningOf,
} from './key-rules.js';

/** What is asked of a key, with the sign-in of the person whose key it is. */
type NewKey = CreateApiKeyDto & Partial<Pick<Credential, 'acr' | 'sessionId' | 'voucher'>>;

/** Creates keys and records their end, for service accounts and people alike. */
@Injectable()
export class KeyIssuer {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly directory: CredentialDirectory,
    private readonly clients: ClientDirectory,
    private readonly policies: KeyPolicyRepository,
    private readonly registry: AbilityRegistry,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates a key. Only its hash is stored. Requires a lock on the owner.
   * @param holds what the owner holds
   * @returns the key and its plain text, which cannot be read again
   * @throws {AppError} forbidden if the organization allows no keys of people; validation-error on
   *   a field; conflict beyond the maximum of keys
   */
  async create(
    owner: Owner,
    actorId: UserId,
    { name, expiresAt, scopes = null, networks = [], acr, sessionId, voucher }: NewKey,
    holds: ScopePredicate | null,
  ): Promise<{ readonly credential: Credential; readonly plainKey: string }> {
    const { maxLifetimeDays, personalKeys } = await this.policies.get(owner.tenantId);
    if (owner.ownerKind === 'person' && !personalKeys)
      throw denialError(denyByState(forbid('personal-key.forbidden')));
    const expiry = expiryOf(expiresAt, Math.min(DEFAULT_LIFETIME_DAYS, maxLifetimeDays ?? Infinity));
    this.requireValid(expiry, scopes, networks, holds, maxLifetimeDays);
    requireRoomForKey(await this.credentials.countLive(owner, ['key']));
    const { id: lookup, plainKey } = createApiKey(KIND_OF_OWNER[owner.ownerKind]);
    const credential = await this.credentials.insert({
      ...owner,
      id: newId(),
      kind: 'key',
      lookup,
      name,
      secretHash: this.directory.hash(plainKey),
      scopes: scopes && [...new Set(scopes)],
      networks: [...networks],
      acr: acr ?? null,
      sessionId: sessionId ?? null,
      voucher: voucher ?? null,
      createdBy: actorId,
      expiresAt: expiry,
      warnAt: warningOf(expiry),
    });
    await this.record('created', actorId, credential);
    return { credential, plainKey };
  }

  /** Records that keys have ended, and has every replica refuse them. */
  async recordEnded(actorId: UserId, ended: readonly EndedCredential[]): Promise<void> {
    if (ended.length === 0) return;
    await this.record('revoked', actorId, ...ended);
    await this.directory.announce(ended);
    await this.clients.announce(...ended.map(({ ownerId }) => ownerId));
  }

  /** As {@link recordEnded}, for a key that was reported. */
  async recordLeaked(actorId: UserId, ended: EndedCredential): Promise<void> {
    await this.record('leaked', actorId, ended);
    await this.directory.announce([ended]);
    await this.clients.announce(ended.ownerId);
  }

  async record(
    what: 'created' | 'revoked' | 'leaked' | 'expiring',
    actorId: UserId,
    ...keys: readonly Omit<EndedCredential, 'lookup'>[]
  ): Promise<void> {
    const events = keys.map(({ id, tenantId, ownerId }) => ({
      actorId,
      tenantId,
      action: `key.${what}`,
      subject: `iam/api-keys/${id}`,
      holderId: ownerId,
    }));
    await this.audit.record(...events);
  }

  private requireValid(
    expiresAt: Date | null,
    scopes: readonly string[] | null,
    networks: readonly string[],
    holds: ScopePredicate | null,
    maxLifetimeDays: number | null,
  ): void {
    const violations = violationsOfExpiry(expiresAt, maxLifetimeDays);
    const ofOwner = {
      isForPrograms: (scope: string) => {
        const declared = this.registry.find(scope);
        return isForMachines(declared) && declared?.peopleOnly === false;
      },
      isHeld: (scope: string) => holds?.(scope) === true,
    };
    violations.push(...violationsOfRestrictions({ scopes, networks }, ofOwner));
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }
}
