import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail, SignInPolicies } from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import type { GrantView } from '../../session/index.js';
import { StationSessions } from '../stations/station-sessions.js';
import type { RegisteredStation } from '../stations/station.repository.js';
import { PinResetService } from '../workers/pin-reset.service.js';
import { type SigningWorker, WorkerRepository } from '../workers/worker.repository.js';
import { maySignIn, type ProvenWorker } from './worker-proof.js';

/** Lets people in whom a PIN has proven, if nothing has changed since. */
@Injectable()
export class WorkerEntry {
  constructor(
    private readonly accounts: AccountService,
    private readonly policies: SignInPolicies,
    private readonly workers: WorkerRepository,
    private readonly pinResets: PinResetService,
    private readonly sessions: StationSessions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Starts the session, and stores a new PIN. Joins the open transaction. Locks account, worker and
   * membership, station, sessions.
   * @throws {AppError} invalid-credentials if the person may not sign in here any more, or has
   *   another PIN by now; insufficient-user-authentication if the policy of the organization asks
   *   for more
   */
  async start(
    station: RegisteredStation,
    { worker, newPinHash: pinHash }: ProvenWorker,
    client: Client,
  ): Promise<GrantView> {
    const { tenantId, id: holderId } = station;
    const { userId, endsInSeconds } = await this.lockForShare(tenantId, worker);
    const grant = await this.sessions.start(userId, station, endsInSeconds, client);
    if (pinHash !== null)
      await this.workers.setPin(tenantId, userId, { pinHash, pinExpiresAt: null, pinSetBy: null });
    await this.workers.noteSignIn(tenantId, userId);
    const event = { actorId: userId, tenantId, subject: `iam/workers/${userId}`, holderId };
    await this.audit.record({ ...event, action: 'worker.signed-in' });
    if (pinHash !== null) await this.audit.record({ ...event, action: 'worker.pin-changed' });
    return grant;
  }

  private async lockForShare(
    tenantId: TenantId,
    { userId, pinHash }: SigningWorker,
  ): Promise<{ readonly userId: Locked<UserId>; readonly endsInSeconds: number | null }> {
    const { stations: rule } = await this.policies.get(tenantId);
    const locked = await this.accounts.lockActiveForShare(userId);
    const worker = await this.workers.findForSignIn(tenantId, userId);
    const isOfUse = worker !== null && (await this.pinResets.isPinOfUse(tenantId, worker));
    if (!locked || !isOfUse || !maySignIn(worker, rule) || worker.pinHash !== pinHash)
      throw new AppError('invalid-credentials');
    return { userId: locked, endsInSeconds: worker.endsInSeconds };
  }
}
