import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { JobQueue } from '../../platform/jobs/index.js';
import { ConnectionChanges } from '../changes/connection-changes.js';
import { ConnectionEnforcement } from '../enforcement/connection-enforcement.js';
import { ConnectionRepository } from './connection.repository.js';
import { ConnectionService, type ShownConnection } from './connection.service.js';
import { END_SESSIONS, type SessionsToEnd } from './connection.js';

/** Activates, disables and deletes connections. The caller has checked the permission before. */
@Injectable()
export class ConnectionStatusService {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly changes: ConnectionChanges,
    private readonly enforcement: ConnectionEnforcement,
    private readonly jobs: JobQueue,
    private readonly service: ConnectionService,
  ) {}

  async activate(tenantId: TenantId, actorId: UserId, id: string): Promise<ShownConnection> {
    await this.connections.activate(tenantId, id);
    await this.changes.record(tenantId, actorId, 'activated', id);
    return this.service.get(tenantId, id);
  }

  /**
   * Disables a connection: it starts no sign-in, and ends none that has started.
   * @param endSessions whether sessions that began by it end, soon after the commit
   */
  async disable(
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    endSessions = false,
  ): Promise<ShownConnection> {
    await this.enforcement.requireNotEnforced(tenantId, id);
    await this.connections.disable(tenantId, id);
    if (endSessions) await this.jobs.add(END_SESSIONS, { connectionId: id } satisfies SessionsToEnd);
    await this.changes.record(tenantId, actorId, 'disabled', id);
    return this.service.get(tenantId, id);
  }

  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.enforcement.requireNotEnforced(tenantId, id);
    await this.connections.delete(tenantId, id);
    await this.changes.record(tenantId, actorId, 'deleted', id);
  }
}
