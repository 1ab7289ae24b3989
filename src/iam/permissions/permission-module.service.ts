import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AbilityRegistry } from '../../ability/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { ChangeFeed } from '../../platform/live/index.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { type PermissionModule, PermissionModuleRepository } from './permission-module.repository.js';
import { MAX_MODULES, type RegisterPermissionsDto } from './permission-module.dto.js';
import './permission-module.messages.js';

const CHANNEL = 'gatehouse_permissions_changed';

/**
 * Registers the permissions of other services. Every replica knows them within a second; while the
 * change feed is interrupted, as of before.
 */
@Injectable()
export class PermissionModuleService implements OnApplicationBootstrap {
  /** Whether changes may have been missed. */
  private isStale = false;

  constructor(
    private readonly database: Database,
    private readonly modules: PermissionModuleRepository,
    private readonly registry: AbilityRegistry,
    private readonly audit: AuditTrail,
    private readonly feed: ChangeFeed,
  ) {
    feed.listen(CHANNEL, {
      changed: () => this.reloadLater(),
      lost: () => {
        this.isStale = true;
      },
      alive: () => this.isStale && this.reloadLater(),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.reload();
  }

  list(): Promise<PermissionModule[]> {
    return this.modules.list();
  }

  /**
   * Registers the permissions of a module, in place of those that it had.
   * @param actorId null for the command line
   * @throws {AppError} validation-error on `permissions[n].scope` for a scope of another module or
   *   one that is named twice; conflict if the application declares scopes of this module, or there
   *   are too many modules
   */
  async register(
    actorId: UserId | null,
    module: string,
    { title, permissions }: RegisterPermissionsDto,
  ): Promise<PermissionModule> {
    requireOwnScopes(module, permissions);
    if (this.registry.declaresModule(module))
      throw new AppError('conflict', { reason: { id: 'permission.module-declared' } });
    return this.change(async () => {
      const set = await this.modules.set({
        module,
        title,
        permissions: permissions.map(
          ({ description = null, roles = ['admin'], allowedWhenArchived = false, ...permission }) => ({
            ...permission,
            description,
            roles,
            allowedWhenArchived,
          }),
        ),
      });
      if ((await this.modules.list()).length > MAX_MODULES)
        throw new AppError('conflict', {
          reason: { id: 'permission.too-many-modules', values: { max: MAX_MODULES } },
        });
      await this.record(actorId, set.id, 'registered');
      return set;
    });
  }

  /**
   * Removes a module with its permissions. Roles and clients that name them hold nothing by them.
   * @param actorId null for the command line
   * @throws {AppError} not-found
   */
  async remove(actorId: UserId | null, module: string): Promise<void> {
    await this.change(async () => {
      const id = await this.modules.delete(module);
      if (id === null) throw new AppError('not-found');
      await this.record(actorId, id, 'removed');
    });
  }

  /** Runs a change. Its caller finds it in effect on this replica, the others within a second. */
  private async change<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      const result = await work();
      await this.feed.notify(CHANNEL, '');
      const modules = await this.modules.list();
      this.database.afterCommit(() => this.registry.replaceRegistered(modules));
      return result;
    });
  }

  private async reload(): Promise<void> {
    this.isStale = false;
    this.registry.replaceRegistered(await this.modules.list());
  }

  /** A failure of the database is tried again at the next heartbeat of the feed. */
  private reloadLater(): void {
    this.reload().catch(() => {
      this.isStale = true;
    });
  }

  private async record(actorId: UserId | null, id: string, what: string): Promise<void> {
    if (actorId === null) return;
    const subject = `platform/permissions/${id}`;
    await this.audit.record({ actorId, action: `operator.permissions-${what}`, subject });
  }
}

/** @throws {AppError} validation-error */
function requireOwnScopes(module: string, permissions: RegisterPermissionsDto['permissions']): void {
  const scopes = permissions.map(({ scope }) => scope);
  const violations = scopes.flatMap((scope, n): Violation[] => {
    const propertyPath = `permissions[${n}].scope`;
    if (!scope.startsWith(`${module}:`))
      return [{ propertyPath, message: { id: 'permission.of-other-module', values: { module } } }];
    return scopes.indexOf(scope) === n ? [] : [{ propertyPath, message: { id: 'permission.twice' } }];
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}
