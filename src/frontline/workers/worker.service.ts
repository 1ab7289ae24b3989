import { Injectable } from '@nestjs/common';
import { conflict, denialError, denyByState } from '../../ability/index.js';
import { AuditTrail, MemberService, namesOfGiven } from '../../iam/index.js';
import type { Locked, Principal, TenantId, UserId } from '../../kernel/index.js';
import { MAX_COUNTED } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import { StationSessions } from '../stations/station-sessions.js';
import type { CreateWorkerDto, UpdateWorkerDto, WorkersQuery } from './worker.dto.js';
import { WorkerAccounts } from './worker-accounts.js';
import { WorkerRoles } from './worker-roles.js';
import { type ListedWorker, type Worker, type WorkerPage, WorkerRepository } from './worker.repository.js';
import { workerEvent } from './worker-event.js';

/**
 * Manages workers. The caller has checked the permission, and locked the account and the tenant.
 */
@Injectable()
export class WorkerService {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly accounts: WorkerAccounts,
    private readonly members: MemberService,
    private readonly roles: WorkerRoles,
    private readonly sessions: StationSessions,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns a page; `total` on the first one only. */
  async list(
    tenantId: TenantId,
    page: WorkerPage,
    { query, status }: WorkersQuery,
  ): Promise<{ readonly workers: ListedWorker[]; readonly total: number | null }> {
    const filter = { query: query ?? null, status: status ?? null };
    const workers = await this.workers.list(tenantId, page, filter);
    const total = page.after ? null : await this.workers.count(tenantId, filter, MAX_COUNTED);
    return { workers, total };
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, userId: UserId): Promise<Worker> {
    return (await this.workers.find(tenantId, userId)) ?? AppError.notFound();
  }

  /**
   * Creates an account without an address, which is a member.
   * @throws {AppError} conflict if the number is taken; validation-error on `roles[n]` for an
   *   unknown role; forbidden for one that holds more than the caller, and for that of an owner
   */
  async create(
    tenantId: Locked<TenantId>,
    caller: Principal,
    { number, firstName, lastName = null, roles, until }: CreateWorkerDto,
  ): Promise<Worker> {
    const roleIds = await this.roles.require(tenantId, caller, roles);
    await this.requireFreeNumber(tenantId, number);
    const userId = await this.accounts.create({ firstName, lastName });
    await this.members.add(tenantId, userId, roleIds, { actorId: caller.userId });
    await this.workers.insert(tenantId, { userId, number, until: until ? new Date(until) : null });
    await this.audit.record(workerEvent(tenantId, caller.userId, userId, 'created'));
    return this.get(tenantId, userId);
  }

  /**
   * Changes the given fields. A new address is verified by mail first.
   * @throws {AppError} as for {@link create}; conflict for the name or address of a person who has
   *   an address, and so owns the account; insufficient-user-authentication for an address
   */
  async update(
    tenantId: Locked<TenantId>,
    caller: Principal,
    userId: UserId,
    given: UpdateWorkerDto,
    client: Client,
  ): Promise<Worker> {
    const { number, firstName, lastName, roles, until, email } = given;
    const before = await this.get(tenantId, userId);
    const isPersonal = [firstName, lastName, email].some((part) => part !== undefined);
    if (isPersonal && before.email !== null) throw denialError(denyByState(conflict('worker.owns-account')));
    if (number !== undefined && number.toLowerCase() !== before.number.toLowerCase())
      await this.requireFreeNumber(tenantId, number);
    await this.workers.update(tenantId, userId, {
      ...(number !== undefined && { number }),
      ...(until !== undefined && { until: until === null ? null : new Date(until) }),
    });
    await this.accounts.rename(before, given, caller.userId);
    if (roles) await this.roles.replace(tenantId, caller, userId, roles);
    if (email !== undefined) await this.accounts.requestAddress(tenantId, caller, userId, email, client);
    // The session at a station ends at the time that held when it began.
    if (until !== undefined) await this.sessions.endOf(userId, [tenantId]);
    await this.audit.record({
      ...workerEvent(tenantId, caller.userId, userId, 'updated'),
      changed: namesOfGiven(given),
    });
    return this.get(tenantId, userId);
  }

  /** Ends the membership. Erases the account unless an address or other organization holds it. */
  async delete(tenantId: Locked<TenantId>, actorId: UserId, userId: UserId): Promise<void> {
    const { email } = await this.get(tenantId, userId);
    const isHeld = email !== null || (await this.members.isInAnyTenant(userId, tenantId));
    await this.members.remove(tenantId, actorId, userId);
    await this.audit.record(workerEvent(tenantId, actorId, userId, 'deleted'));
    if (!isHeld) await this.accounts.erase(userId);
  }

  async suspend(tenantId: Locked<TenantId>, actorId: UserId, userId: UserId): Promise<void> {
    await this.members.suspend(tenantId, actorId, userId);
  }

  async reinstate(tenantId: TenantId, actorId: UserId, userId: UserId): Promise<void> {
    await this.members.restore(tenantId, actorId, userId);
  }

  /** Ends the sessions of a worker at stations of the tenant. */
  async signOut(tenantId: TenantId, actorId: UserId, userId: UserId): Promise<void> {
    await this.sessions.endOf(userId, [tenantId]);
    await this.audit.record(workerEvent(tenantId, actorId, userId, 'signed-out'));
  }

  private async requireFreeNumber(tenantId: TenantId, number: string): Promise<void> {
    if ((await this.workers.findHolder(tenantId, number)) !== null)
      throw new AppError('conflict', { reason: conflict('worker.number-taken') });
  }
}
