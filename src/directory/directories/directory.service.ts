import { Injectable } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import { AuditTrail, TenantLock } from '../../iam/index.js';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { DirectoryMembers } from '../projection/directory-members.js';
import { eventOf } from '../directory.events.js';
import { UserRetry } from '../projection/user-retry.js';
import type { DirectoryEntity } from './directory.entity.js';
import { type DirectoryInput, DirectoryRepository } from './directory.repository.js';

/** Maximum number of directories of an organization. */
const MAX_DIRECTORIES = 10;

/** Manages directories. The caller has checked the permission before. */
@Injectable()
export class DirectoryService {
  constructor(
    private readonly directories: DirectoryRepository,
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
    return (await this.directories.find(tenantId, id)) ?? AppError.notFound();
  }

  /**
   * Creates a directory.
   * @throws {AppError} conflict beyond {@link MAX_DIRECTORIES}; validation-error on `connectionId`
   *   for a connection that the organization does not have
   */
  async create(
    tenantId: TenantId,
    actorId: UserId,
    input: DirectoryInput & { readonly name: string },
  ): Promise<DirectoryEntity> {
    await this.tenantLock.lockForUpdate(tenantId);
    await this.requireConnection(tenantId, input.connectionId);
    if ((await this.directories.count(tenantId)) >= MAX_DIRECTORIES)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_DIRECTORIES} directories. Delete one that is not in use.`,
      });
    const id = newId();
    await this.directories.insert(tenantId, id, input);
    await this.audit.record(eventOf({ tenantId, directoryId: id }, 'created', actorId));
    return this.get(tenantId, id);
  }

  /**
   * Changes the given fields. People who have waited for an address become workers, by a job, if
   * they no longer have to.
   * @throws {AppError} as for {@link create}; not-found
   */
  async update(
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    input: DirectoryInput,
  ): Promise<DirectoryEntity> {
    await this.requireConnection(tenantId, input.connectionId);
    const current = await this.get(tenantId, id);
    await this.directories.update(tenantId, id, input);
    const scope = { tenantId, directoryId: id };
    await this.audit.record(eventOf(scope, 'updated', actorId));
    if (current.withoutAddress === 'wait' && input.withoutAddress === 'worker')
      await this.retries.queueWithoutAddress(scope);
    return this.get(tenantId, id);
  }

  /** Deletes a directory. Members stay, with their roles. */
  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    const scope = { tenantId, directoryId: id };
    await this.members.release(scope);
    await this.directories.delete(tenantId, id);
    await this.audit.record(eventOf(scope, 'deleted', actorId));
  }

  private async requireConnection(tenantId: TenantId, id: string | null | undefined): Promise<void> {
    if (id === undefined || id === null) return;
    if (!(await this.connections.findForShare(tenantId, id)))
      throw AppError.violation('connectionId', 'There is no such connection in this organization.');
  }
}
