import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates, LockedTenant } from '../../iam/index.js';
import type { Locked, Principal, TenantId, UserId } from '../../kernel/index.js';
import {
  ApiAcceptedResponse,
  IfMatch,
  Operation,
  type Precondition,
  Problems,
  QueryOf,
  SortedList,
  SortedPageOf,
  toSortedPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller, clientIpOf, clientOf, networkOf } from '../../platform/web/index.js';
import { WorkersTag } from '../frontline-tags.js';
import { BadgeService } from './badge.service.js';
import {
  CreateWorkerDto,
  IssueBadgeDto,
  IssuedBadgeResponse,
  PinResetResponse,
  UpdateWorkerDto,
  WorkerResponse,
  WorkersQuery,
} from './worker.dto.js';
import { PinResetService } from './pin-reset.service.js';
import { type ListedWorker, WORKER_ORDERS, type WorkerPage } from './worker.repository.js';
import { WorkerService } from './worker.service.js';

const WORKER = '/api/v1/iam/tenants/:id/workers/:userId';

/** Operations on the workers of an organization. */
@WorkersTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/workers')
export class WorkerController {
  constructor(
    private readonly workers: WorkerService,
    private readonly badges: BadgeService,
    private readonly pinResets: PinResetService,
  ) {}

  @Get()
  @RequireScopes('iam:worker:read')
  @AbilitySubject('id')
  @SortedList(WorkerResponse, WORKER_ORDERS)
  @Operation('List workers')
  async listWorkers(
    @Param() { id }: TenantPath,
    @SortedPageOf(WORKER_ORDERS) page: WorkerPage,
    @QueryOf(WorkersQuery) query: WorkersQuery,
  ) {
    const { workers, total } = await this.workers.list(id, page, query);
    const positionOf = ({ sortKey, userId }: ListedWorker) => ({ key: sortKey, id: userId });
    return toSortedPage(workers, page, positionOf, WorkerResponse.from, total);
  }

  @Post()
  @RequireScopes('iam:worker:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Add a worker',
    'Creates an account without an address, which is a member. The caller must hold every permission of its roles; it cannot be an owner. Without a PIN until the first `pin-reset`.',
  )
  @Creates(WorkerResponse, '/api/v1/iam/tenants/:id/workers/{userId}')
  async createWorker(
    @Caller() caller: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Body() body: CreateWorkerDto,
  ) {
    return WorkerResponse.from(await this.workers.create(tenantId, caller, body));
  }

  @Get(':userId')
  @RequireScopes('iam:worker:read')
  @AbilitySubject('id')
  @Operation('Get a worker')
  @Versioned(WorkerResponse)
  async getWorker(@Param() { id, userId }: TenantPath<'userId'>) {
    return WorkerResponse.from(await this.workers.get(id, userId as UserId));
  }

  @Patch(':userId')
  @RequireScopes('iam:worker:update')
  @AbilitySubject('userId')
  @Problems('conflict', 'insufficient-user-authentication')
  @Operation(
    'Change a worker',
    'Omitted fields do not change. `email` mails a link to the address; the account is the person’s own once they have confirmed it, and keeps the membership. A person who sends it needs a recent sign-in, by a second factor if they have one. Name and address of a person who has an address are theirs: 409.',
  )
  @Versioned(WorkerResponse)
  async updateWorker(
    @Caller() caller: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Param('userId') userId: string,
    @Body() body: UpdateWorkerDto,
    @IfMatch() ifMatch: Precondition,
    @Req() request: Request,
  ) {
    await ifMatch.require(() => this.getWorker({ id: tenantId, userId }));
    const changed = await this.workers.update(tenantId, caller, userId as UserId, body, clientOf(request));
    return WorkerResponse.from(changed);
  }

  @Delete(':userId')
  @RequireScopes('iam:worker:delete')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation(
    'Remove a worker',
    'Ends the membership. Erases the account, unless the person has an address or belongs to another organization.',
  )
  async deleteWorker(
    @Caller() { userId: actorId }: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Param('userId') userId: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getWorker({ id: tenantId, userId }));
    await this.workers.delete(tenantId, actorId, userId as UserId);
  }

  @Post(':userId/suspend')
  @RequireScopes('iam:worker:suspend')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Suspend a worker', 'The session at a station ends within a second.')
  async suspendWorker(
    @Caller() { userId: actorId }: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.workers.suspend(tenantId, actorId, userId as UserId);
  }

  @Post(':userId/reinstate')
  @RequireScopes('iam:worker:reinstate')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Reinstate a worker')
  async reinstateWorker(
    @Caller() { userId: actorId }: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
  ): Promise<void> {
    await this.workers.reinstate(id, actorId, userId as UserId);
  }

  @Post(':userId/sign-out')
  @RequireScopes('iam:worker:update')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Sign a worker out', 'Ends their sessions at stations within a second. They can sign in again.')
  async signOutWorker(
    @Caller() { userId: actorId }: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
  ): Promise<void> {
    await this.workers.signOut(id, actorId, userId as UserId);
  }

  @Post(':userId/pin-reset')
  @RequireScopes('iam:worker:reset-pin')
  @AbilitySubject('userId')
  @Operation(
    'Give a worker a temporary PIN',
    'For one hour and one sign-in, at which the person chooses a new PIN. Lifts a lock. Needs a sign-in by two factors; where the sign-in policy has `pinReset: two-people`, two members one after the other instead: the first gets 202 without a PIN.',
  )
  @Creates(PinResetResponse, WORKER)
  @ApiAcceptedResponse({ type: PinResetResponse })
  async resetPin(
    @Caller() { userId: actorId }: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const network = networkOf(clientIpOf(request));
    const begun = { tenantId: id, actorId, userId: userId as UserId };
    const reset = await this.pinResets.reset(begun, network);
    if (reset.temporaryPin === null) response.status(202);
    return PinResetResponse.from(reset);
  }

  @Post(':userId/badge')
  @RequireScopes('iam:worker:issue-badge')
  @AbilitySubject('userId')
  @Operation(
    'Issue a badge',
    'The response contains the text of the badge, which cannot be read again. The badge before ends at once. A badge stands for the number, and can be copied: the PIN is the proof.',
  )
  @Creates(IssuedBadgeResponse, WORKER)
  async issueBadge(
    @Caller() { userId: actorId }: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
    @Body() { expiresInDays }: IssueBadgeDto,
  ) {
    return IssuedBadgeResponse.from(await this.badges.issue(id, actorId, userId as UserId, expiresInDays));
  }

  @Delete(':userId/badge')
  @RequireScopes('iam:worker:revoke-badge')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Revoke the badge of a worker')
  async revokeBadge(
    @Caller() { userId: actorId }: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
  ): Promise<void> {
    await this.badges.revoke(id, actorId, userId as UserId);
  }
}
