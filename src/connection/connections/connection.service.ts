import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { ConnectionDirectory } from './connection-directory.js';
import { ConnectionCheck } from './connection-check.js';
import { ConnectionRepository, type ManagedConnection } from './connection.repository.js';
import type { CreateConnectionDto, UpdateConnectionDto } from './dto/connection.dto.js';

/** Maximum number of connections of an organization. */
const MAX_CONNECTIONS = 50;

/** Manages the connections of an organization. The caller has checked the permission before. */
@Injectable()
export class ConnectionService {
  constructor(
    private readonly database: Database,
    private readonly connections: ConnectionRepository,
    private readonly checks: ConnectionCheck,
    private readonly directory: ConnectionDirectory,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<ManagedConnection[]> {
    return this.connections.list(tenantId, page);
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<ManagedConnection> {
    const connection = await this.connections.find(tenantId, id);
    if (!connection) throw new AppError('not-found');
    return connection;
  }

  /**
   * Creates a draft, which signs people in once it was tested and activated.
   * @throws {AppError} validation-error on `settings.<field>` and `domainIds[n]`; conflict beyond
   *   {@link MAX_CONNECTIONS}
   */
  async create(
    tenantId: TenantId,
    actorId: UserId,
    { kind, name, domainIds = [], settings }: CreateConnectionDto,
  ): Promise<ManagedConnection> {
    const given = this.checks.check(kind, settings, undefined);
    await this.requireDomains(tenantId, domainIds);
    await this.database.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `connections ${tenantId}`,
    ]);
    if ((await this.connections.count(tenantId)) >= MAX_CONNECTIONS)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_CONNECTIONS} connections. Delete one that is not in use.`,
      });
    const id = newId();
    await this.connections.insert(tenantId, id, kind, name);
    await this.connections.insertSettings(tenantId, id, given);
    await this.connections.assignDomains(tenantId, id, domainIds);
    await this.record(tenantId, actorId, 'created', id);
    return this.get(tenantId, id);
  }

  /**
   * Changes the given fields. Changed settings have to be tested: an active connection is a draft
   * until it is activated again.
   * @throws {AppError} validation-error as {@link create}; not-found
   */
  async update(
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    { name, domainIds, settings }: UpdateConnectionDto,
  ): Promise<ManagedConnection> {
    const current = await this.get(tenantId, id);
    if (settings)
      await this.connections.updateSettings(
        tenantId,
        id,
        this.checks.check(current.kind, settings, current.settings),
      );
    if (name !== undefined) await this.connections.rename(tenantId, id, name);
    if (domainIds) {
      await this.requireDomains(tenantId, domainIds);
      await this.connections.assignDomains(tenantId, id, domainIds);
    }
    await this.record(tenantId, actorId, 'updated', id);
    return this.get(tenantId, id);
  }

  async activate(tenantId: TenantId, actorId: UserId, id: string): Promise<ManagedConnection> {
    await this.connections.setStatus(tenantId, id, 'active');
    await this.record(tenantId, actorId, 'activated', id);
    return this.get(tenantId, id);
  }

  /** Disables a connection: it starts no sign-in, and ends none that has started. */
  async disable(tenantId: TenantId, actorId: UserId, id: string): Promise<ManagedConnection> {
    await this.connections.setStatus(tenantId, id, 'disabled');
    await this.record(tenantId, actorId, 'disabled', id);
    return this.get(tenantId, id);
  }

  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.connections.delete(tenantId, id);
    await this.record(tenantId, actorId, 'deleted', id);
  }

  private async requireDomains(tenantId: TenantId, ids: readonly string[]): Promise<void> {
    const known = await this.connections.findDomainsForShare(tenantId, ids);
    const violations = ids.flatMap((id, n): Violation[] =>
      known.includes(id)
        ? []
        : [{ propertyPath: `domainIds[${n}]`, message: 'is no domain of this organization' }],
    );
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }

  /** Records a change, and invalidates the connection on every replica. */
  private async record(tenantId: TenantId, actorId: UserId, what: string, id: string): Promise<void> {
    await this.audit.record({
      actorId,
      tenantId,
      action: `connection.${what}`,
      subject: `iam/connections/${id}`,
    });
    await this.directory.announce(id);
  }
}
