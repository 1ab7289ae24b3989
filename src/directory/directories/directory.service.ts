import { Injectable } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import { AuditTrail, TenantLock } from '../../iam/index.js';
import { type LifecycleEvents, newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { DirectoryMembers } from '../projection/directory-members.js';
import { UserRetry } from '../projection/user-retry.js';
import type { DirectoryEntity } from './directory.entity.js';
import { type DirectoryFields, DirectoryRepository } from './directory.repository.js';
import { type DirectoryToken, DirectoryTokens } from './directory-tokens.js';

/** Maximum number of directories of an organization. */
const MAX_DIRECTORIES = 10;
const TOKEN_ID = /^[0-9A-Za-z]{1,40}$/;

type Given = { readonly [K in keyof DirectoryFields]?: DirectoryFields[K] | undefined };

/** Manages directories and their tokens. The caller has checked the permission before. */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly directories: DirectoryRepository,
    private readonly tokens: DirectoryTokens,
    private readonly connections: ConnectionDirectory,
    private readonly tenantLock: TenantLock,
    private readonly members: DirectoryMembers,
    private readonly retries: UserRetry,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<DirectoryEntity[]> {
    return this.directories.list(tenantId, page);
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<DirectoryEntity> {
    return (await this.directories.find(tenantId, id)) ?? throwNotFound();
  }

  /**
   * Creates a directory.
   * @throws {AppError} conflict beyond {@link MAX_DIRECTORIES}; validation-error on `connectionId`
   *   for a connection that the organization does not have
   */
  async create(
    tenantId: TenantId,
    actorId: UserId,
    given: Given & { readonly name: string },
  ): Promise<DirectoryEntity> {
    await this.tenantLock.lockForUpdate(tenantId);
    await this.requireConnection(tenantId, given.connectionId);
    if (await this.directories.isFull(tenantId, MAX_DIRECTORIES))
      throw new AppError('conflict', {
        detail: `There can be ${MAX_DIRECTORIES} directories. Delete one that is not in use.`,
      });
    const directory = await this.directories.insert(tenantId, newId(), {
      name: given.name,
      connectionId: given.connectionId ?? null,
      onDelete: given.onDelete ?? 'suspend',
      withoutAddress: given.withoutAddress ?? 'wait',
      matchAttribute: given.matchAttribute ?? 'externalId',
      status: 'active',
    });
    await this.record(tenantId, actorId, directory.id, 'created');
    return directory;
  }

  /**
   * Changes the given fields. People who have waited for an address become workers, by a job, if
   * they no longer have to.
   * @throws {AppError} as for {@link create}; not-found
   */
  async update(tenantId: TenantId, actorId: UserId, id: string, given: Given): Promise<DirectoryEntity> {
    await this.requireConnection(tenantId, given.connectionId);
    const current = await this.get(tenantId, id);
    const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const updated = await this.directories.update(tenantId, id, { ...current, ...fields });
    await this.record(tenantId, actorId, id, 'updated');
    if (current.withoutAddress === 'wait' && updated?.withoutAddress === 'worker')
      await this.retries.queueWithoutAddress({ tenantId, directoryId: id });
    return updated ?? throwNotFound();
  }

  /** Deletes a directory. Members stay, with their roles. */
  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.members.release({ tenantId, directoryId: id });
    await this.directories.delete(tenantId, id);
    await this.record(tenantId, actorId, id, 'deleted');
  }

  listTokens(tenantId: TenantId, id: string): Promise<DirectoryToken[]> {
    return this.tokens.list(tenantId, id);
  }

  /**
   * Creates a token.
   * @param createdBy who answers for it; by default the actor
   * @throws {AppError} conflict with two tokens; validation-error for a time that has passed
   */
  async createToken(
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    { name, expiresAt }: { readonly name: string; readonly expiresAt?: string | null | undefined },
    createdBy = actorId,
  ): Promise<DirectoryToken & { readonly plainKey: string }> {
    const end = expiresAt === undefined || expiresAt === null ? null : new Date(expiresAt);
    if (end && end.getTime() <= Date.now()) throw AppError.violation('expiresAt', 'must be in the future');
    const token = await this.tokens.create(tenantId, id, { name, expiresAt: end, createdBy });
    await this.record(tenantId, actorId, id, 'token-created');
    return token;
  }

  /** @throws {AppError} not-found */
  async revokeToken(tenantId: TenantId, actorId: UserId, id: string, tokenId: string): Promise<void> {
    if (!TOKEN_ID.test(tokenId) || !(await this.tokens.revoke(tenantId, id, tokenId))) throwNotFound();
    await this.record(tenantId, actorId, id, 'token-revoked');
  }

  /** Ends a token that was found in public. */
  @OnLifecycle('key.leaked')
  async endLeakedToken({ plainKey, ended }: LifecycleEvents['key.leaked']): Promise<void> {
    const token = await this.tokens.endLeaked(plainKey);
    if (!token) return;
    const { tenantId, directoryId, name } = token;
    await this.record(tenantId, directoryId as UserId, directoryId, 'token-revoked');
    await ended({ tenantId, name });
  }

  private async requireConnection(tenantId: TenantId, id: string | null | undefined): Promise<void> {
    if (id === undefined || id === null) return;
    if (!(await this.connections.findForShare(tenantId, id)))
      throw AppError.violation('connectionId', 'There is no such connection in this organization.');
  }

  private async record(tenantId: TenantId, actorId: UserId, id: string, what: string): Promise<void> {
    const subject = `iam/directories/${id}`;
    await this.audit.record({ actorId, tenantId, action: `directory.${what}`, subject });
  }
}

function throwNotFound(): never {
  throw new AppError('not-found');
}
