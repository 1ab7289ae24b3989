import { Injectable } from '@nestjs/common';
import type { Principal, TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { MachineDirectory } from '../machine-directory.js';
import {
  type Credential,
  CredentialRepository,
  type EndedKey,
  ownedByAccount,
} from './credential.repository.js';
import type { CreateApiKeyDto } from './key.dto.js';
import type { KeyEndReason } from './credential.entity.js';
import { KeyIssuer } from './key-issuer.js';

/** Manages the keys of service accounts. The caller has checked the permission before. */
@Injectable()
export class ApiKeyService {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly machines: MachineDirectory,
    private readonly issuer: KeyIssuer,
  ) {}

  list(tenantId: TenantId, accountId: string, page: Page): Promise<Credential[]> {
    return this.credentials.list(ownedByAccount(tenantId, accountId), ['key'], page);
  }

  listEnded(tenantId: TenantId, accountId: string, page: Page): Promise<EndedKey[]> {
    return this.credentials.listEnded(tenantId, accountId, page);
  }

  /** @throws {AppError} as {@link KeyIssuer.create} does */
  async create(
    tenantId: TenantId,
    { userId }: Principal,
    accountId: string,
    given: CreateApiKeyDto,
  ): Promise<{ readonly credential: Credential; readonly plainKey: string }> {
    const holds = await this.machines.findRolesPredicate(accountId, tenantId);
    return this.issuer.create(ownedByAccount(tenantId, accountId), userId, given, holds);
  }

  /** @throws {AppError} not-found for a key of another account */
  async revoke(
    tenantId: TenantId,
    actorId: UserId,
    accountId: string,
    keyId: string,
    reason: KeyEndReason = 'revoked',
  ): Promise<void> {
    const end = { by: reason === 'revoked' ? actorId : null, reason };
    const ended = await this.credentials.end(ownedByAccount(tenantId, accountId), keyId, ['key'], end);
    if (!ended) throw new AppError('not-found');
    await this.issuer.recordEnded(actorId, [ended]);
  }
}
