import { Injectable } from '@nestjs/common';
import { CallerScopes, type ScopePredicate } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { Principal, TenantId, UserId } from '../../kernel/index.js';
import { ConnectionRepository } from './connection.repository.js';

/**
 * Finds the connections that reach people who hold more than a member. Who decides by which keys a
 * connection is believed can sign in as each person whom it signs in (ADR 50).
 */
@Injectable()
export class ConnectionReach {
  constructor(
    private readonly callers: CallerScopes,
    private readonly directory: MembershipDirectory,
    private readonly connections: ConnectionRepository,
  ) {}

  /**
   * @param lock read the database, and lock roles and membership of the caller
   * @returns those of the connections by which people may sign in who hold more than the caller, or
   *   whose rules give more
   */
  async findExceeding(
    caller: Principal,
    tenantId: TenantId,
    ids: readonly string[],
    lock: boolean,
  ): Promise<ReadonlySet<string>> {
    return this.find(caller.userId, await this.callers.findCallerScopes(caller, lock), tenantId, ids, lock);
  }

  /** Returns whether the same is the case for a connection and a member, by the database. */
  async exceedsMember(userId: UserId, tenantId: TenantId, id: string): Promise<boolean> {
    const holds = await this.callers.findScopesOf(userId, tenantId, true);
    return (await this.find(userId, holds, tenantId, [id], true)).has(id);
  }

  /** Returns whether a member may change a connection in use, by the database. */
  async mayChange(userId: UserId, tenantId: TenantId, id: string): Promise<boolean> {
    const holds = await this.callers.findScopesOf(userId, tenantId, true);
    if (holds?.('iam:connection:update') !== true) return false;
    return !(await this.find(userId, holds, tenantId, [id], true)).has(id);
  }

  private async find(
    userId: UserId,
    holds: ScopePredicate | null,
    tenantId: TenantId,
    ids: readonly string[],
    lock: boolean,
  ): Promise<ReadonlySet<string>> {
    const above = await this.directory.listRolesAbove(tenantId, userId, holds, lock);
    return above.length === 0 ? new Set() : this.connections.findReaching(tenantId, ids, above);
  }
}
