import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobQueue } from '../../platform/jobs/index.js';
import { PersonRepository } from '../people/person.repository.js';
import { type BulkPeopleDto, MAX_LISTED } from './bulk-action.dto.js';
import type { BulkKind } from './bulk-action.entity.js';
import { type BulkAction, BulkActionRepository } from './bulk-action.repository.js';
import { type BulkJob, RUN_BULK_ACTION } from './bulk-run.service.js';

/** Starts what operators do for many people, and tells how far it is. */
@Injectable()
export class BulkActions {
  constructor(
    private readonly actions: BulkActionRepository,
    private readonly people: PersonRepository,
    private readonly jobs: JobQueue,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Starts an action in the open transaction: a job does it for one person after the other.
   * @throws {AppError} validation-error unless exactly one of the fields is given, and for an
   *   organization without members; conflict while another action of the operator is running
   */
  async start(operatorId: UserId, kind: BulkKind, { userIds, tenantId }: BulkPeopleDto): Promise<string> {
    if ((userIds === undefined) === (tenantId === undefined))
      throw AppError.violation('userIds', 'name either userIds or tenantId');
    const ids = userIds && [...new Set(userIds)].sort();
    const total = ids?.length ?? (await this.people.countMembers(tenantId as TenantId));
    if (total === 0) throw AppError.violation('tenantId', 'has no members');
    if (await this.actions.hasRunningForUpdate(operatorId))
      throw new AppError('conflict', { reason: { id: 'bulk-action.running' } });
    const id = newId();
    const organization = (tenantId ?? null) as TenantId | null;
    await this.actions.insert({ id, operatorId, kind, tenantId: organization, total });
    const job: BulkJob = { id, ...(ids ? { userIds: ids as UserId[] } : { tenantId: tenantId as TenantId }) };
    await this.jobs.add(RUN_BULK_ACTION, job);
    const subject = `platform/bulk-actions/${id}`;
    await this.audit.record({ actorId: operatorId, action: 'operator.bulk-action-started', subject });
    return id;
  }

  /** Returns the newest actions of all operators. */
  list(): Promise<BulkAction[]> {
    return this.actions.listNewest(MAX_LISTED);
  }
}
