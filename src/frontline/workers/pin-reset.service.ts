import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail, type BegunForMember, MemberAuthority, SignInPolicies } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import { StationSessions } from '../stations/station-sessions.js';
import { PinHasher } from './pin-hasher.js';
import { isGuessable } from './pin-rules.js';
import { type SigningWorker, WorkerRepository } from './worker.repository.js';
import { workerEvent } from './worker-event.js';

/** Time for the first use of a temporary PIN, and for a second member to confirm a reset. */
const RESET_SECONDS = 3_600;
const TEMPORARY_PIN_DIGITS = 8;
const SCOPE = 'iam:worker:reset-pin';

/** Reset PIN, or, without one, the time until which a second member can confirm. */
export interface PinReset {
  readonly temporaryPin: string | null;
  readonly expiresAt: Date;
}

/** Gives workers temporary PINs. What a member began counts while they could reset the PIN. */
@Injectable()
export class PinResetService {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly policies: SignInPolicies,
    private readonly authority: MemberAuthority,
    private readonly pins: PinHasher,
    private readonly sessions: StationSessions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Sets a temporary PIN, and ends the sessions of who knew the one before; where the organization
   * asks for two members, at the second call. The caller has checked the permission, and locked the
   * account and the tenant.
   * @throws {AppError} not-found
   */
  async reset(begun: BegunForMember, network: string): Promise<PinReset> {
    const { tenantId, actorId, userId } = begun;
    const worker = (await this.workers.find(tenantId, userId)) ?? AppError.notFound();
    const expiresAt = new Date(Date.now() + RESET_SECONDS * 1_000);
    if ((await this.policies.get(tenantId)).pinReset === 'two-people' && !(await this.isSecond(begun))) {
      await this.workers.askReset(tenantId, userId, actorId, expiresAt);
      await this.audit.record(workerEvent(tenantId, actorId, userId, 'pin-reset-asked'));
      return { temporaryPin: null, expiresAt };
    }
    const temporaryPin = randomPin(worker.number);
    const pinHash = await this.pins.hash(userId, temporaryPin, network);
    await this.workers.setPin(tenantId, userId, { pinHash, pinExpiresAt: expiresAt, pinSetBy: actorId });
    await this.sessions.endOf(userId, [tenantId]);
    await this.audit.record(workerEvent(tenantId, actorId, userId, 'pin-reset'));
    return { temporaryPin, expiresAt };
  }

  /** Returns whether the PIN of a worker is the person's own, or of a member who could reset it. */
  async isPinOfUse(
    tenantId: BegunForMember['tenantId'],
    { userId, hasTemporaryPin, pinSetBy }: SigningWorker,
  ): Promise<boolean> {
    if (!hasTemporaryPin) return true;
    return pinSetBy !== null && this.authority.covers({ tenantId, actorId: pinSetBy, userId }, SCOPE);
  }

  /** Returns whether another member has asked for this reset, and could still. */
  private async isSecond({ tenantId, actorId, userId }: BegunForMember): Promise<boolean> {
    const first = await this.workers.findResetRequester(tenantId, userId);
    if (first === null || first === actorId) return false;
    return this.authority.covers({ tenantId, actorId: first, userId }, SCOPE);
  }
}

function randomPin(number: string): string {
  for (;;) {
    const pin = String(randomInt(10 ** TEMPORARY_PIN_DIGITS)).padStart(TEMPORARY_PIN_DIGITS, '0');
    if (!isGuessable(pin, number)) return pin;
  }
}
