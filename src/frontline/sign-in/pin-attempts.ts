import { Injectable } from '@nestjs/common';
import { AuditTrail, SignInCounts } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { StationRepository } from '../stations/station.repository.js';
import { MAX_PIN_FAILURES, type SigningWorker, WorkerRepository } from '../workers/worker.repository.js';
import { workerEvent } from '../workers/worker-event.js';

const BRAKE_SECONDS = 60;

/** An attempt that is counted, before its PIN is compared. */
export interface PinAttempt {
  /** Whether neither the station nor the PIN is locked. */
  readonly isOpen: boolean;
  /** Attempts of the person in a row; null for a locked PIN and an unknown person. */
  readonly ofPerson: number | null;
}

/** Counts wrong PINs of people, stations and organizations, and locks what has too many. */
@Injectable()
export class PinAttempts {
  constructor(
    private readonly database: Database,
    private readonly workers: WorkerRepository,
    private readonly stations: StationRepository,
    private readonly counts: SignInCounts,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws {AppError} too-many-requests while the organization has too many wrong PINs */
  async requireUnbraked(tenantId: TenantId): Promise<void> {
    if (await this.stations.isBraked(tenantId))
      throw new AppError('too-many-requests', { retryAfterSeconds: BRAKE_SECONDS });
  }

  /** Counts an attempt. Runs the same statements for an unknown person. */
  async take(tenantId: TenantId, stationId: string, worker: SigningWorker | null): Promise<PinAttempt> {
    const atStation = await this.stations.takeAttempt(tenantId, stationId);
    // A station that is locked locks no PIN: else its holder could lock out everyone.
    const counted = atStation === null ? null : worker;
    const ofPerson = await this.workers.takeAttempt(tenantId, counted?.userId ?? '');
    return { isOpen: atStation !== null && ofPerson !== null, ofPerson };
  }

  /** Takes back the attempts of a person whose PIN was right. */
  async clear(tenantId: TenantId, stationId: string, userId: UserId): Promise<void> {
    await this.workers.clearAttempts(tenantId, userId);
    await this.stations.returnAttempt(tenantId, stationId);
  }

  /** Locks what has reached its limit by a wrong PIN, and records that in the trail. */
  async fail(
    tenantId: TenantId,
    stationId: string,
    worker: SigningWorker | null,
    { ofPerson }: PinAttempt,
  ): Promise<void> {
    await this.database.transaction(async () => {
      if (worker && ofPerson === MAX_PIN_FAILURES) {
        const { userId } = worker;
        const locked = workerEvent(tenantId, userId, userId, 'pin-locked');
        await this.audit.record({ ...locked, holderId: stationId });
      }
      if (!(await this.stations.lockOut(tenantId, stationId))) return;
      const actorId = (worker?.userId ?? tenantId) as UserId;
      const subject = `iam/stations/${stationId}`;
      await this.audit.record({ actorId, tenantId, action: 'station.locked', subject });
    });
    this.counts.refused('wrong-pin', { tenantId });
  }
}
