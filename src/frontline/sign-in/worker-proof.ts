import { Injectable } from '@nestjs/common';
import { SignInPolicies } from '../../iam/index.js';
import type { SignInPolicy, TenantId, UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { StationSignInDto } from '../stations/station.dto.js';
import { isNamedBy } from '../stations/station-rule.js';
import type { RegisteredStation } from '../stations/station.repository.js';
import { BadgeService } from '../workers/badge.service.js';
import { PinHasher } from '../workers/pin-hasher.js';
import { isGuessable } from '../workers/pin-rules.js';
import { type SigningWorker, WorkerRepository } from '../workers/worker.repository.js';
import { PinAttempts } from './pin-attempts.js';

/** A worker whose PIN was right. */
export interface ProvenWorker {
  readonly worker: SigningWorker;
  /** Stored form of the PIN that the person has chosen; null if they keep theirs. */
  readonly newPinHash: string | null;
}

/**
 * Verifies who a person at a station is: by number or badge, and PIN. What is wrong, a caller does
 * not learn: the same statements run, and one hash, for an unknown number, a wrong or locked PIN,
 * and a person or station that is refused.
 */
@Injectable()
export class WorkerProof {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly badges: BadgeService,
    private readonly pins: PinHasher,
    private readonly attempts: PinAttempts,
    private readonly policies: SignInPolicies,
  ) {}

  /**
   * Verifies number or badge, and PIN.
   * @throws {AppError} invalid-credentials; validation-error on `newPin` for a guessable one, and
   *   without one for a temporary PIN; too-many-requests while the organization has too many wrong
   *   PINs
   */
  async verify(
    { tenantId, id: stationId }: RegisteredStation,
    { badge, number, pin, newPin }: StationSignInDto,
    network: string,
  ): Promise<ProvenWorker> {
    await this.attempts.requireUnbraked(tenantId);
    const { stations: rule } = await this.policies.get(tenantId);
    const worker = await this.find(tenantId, badge, number);
    const attempt = await this.attempts.take(tenantId, stationId, worker);
    const isOpen = attempt.isOpen && maySignIn(worker, rule);
    const userId = worker?.userId ?? (stationId as UserId);
    const isRight = await this.pins.verify(userId, pin, isOpen ? (worker?.pinHash ?? null) : null, network);
    if (!worker || !isRight) {
      await this.attempts.fail(tenantId, stationId, worker, attempt);
      throw new AppError('invalid-credentials');
    }
    await this.attempts.clear(tenantId, stationId, userId);
    if (newPin === undefined && worker.hasTemporaryPin)
      throw AppError.violation('newPin', { id: 'worker.pin-temporary' });
    if (newPin !== undefined && (newPin === pin || isGuessable(newPin, worker.number)))
      throw AppError.violation('newPin', { id: 'worker.pin-guessable' });
    const newPinHash = newPin === undefined ? null : await this.pins.hash(userId, newPin, network);
    return { worker, newPinHash };
  }

  private async find(
    tenantId: TenantId,
    badge: string | undefined,
    number: string | undefined,
  ): Promise<SigningWorker | null> {
    if (badge === undefined) return this.workers.findByNumber(tenantId, number ?? '');
    const worker = await this.workers.findByBadge(tenantId, this.badges.lookupOf(badge) ?? '');
    return worker && this.badges.isBadge(badge, worker.badgeHash) ? worker : null;
  }
}

/** Returns whether the organization lets a person sign in at stations now. */
export function maySignIn(worker: SigningWorker | null, rule: SignInPolicy['stations']): boolean {
  return worker?.isActive === true && isNamedBy(rule, worker.hasAddress);
}
