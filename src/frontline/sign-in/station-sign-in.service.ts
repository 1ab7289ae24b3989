import { Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { AccountService, AuditTrail, SignInCounts, SignInPolicies } from '../../iam/index.js';
import type { SignInPolicy, TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type Client, networkOf } from '../../platform/web/index.js';
import {
  type GrantView,
  LogoutService,
  SessionService,
  TokenIssuer,
  type TokenResponse,
} from '../../session/index.js';
import type { StationSignInDto } from '../stations/dto/station.dto.js';
import { isNamedBy } from '../stations/station-rule.js';
import { type RegisteredStation, StationRepository } from '../stations/station.repository.js';
import { BadgeService } from '../workers/badge.service.js';
import { PinHasher } from '../workers/pin-hasher.js';
import { PinResetService } from '../workers/pin-reset.service.js';
import { isGuessable } from '../workers/pin-rules.js';
import { MAX_PIN_FAILURES, type SigningWorker, WorkerRepository } from '../workers/worker.repository.js';

const BRAKE_SECONDS = 60;

/** A worker whose PIN was right. */
interface Proven {
  readonly worker: SigningWorker;
  /** Stored form of the PIN that the person has chosen; null if they keep theirs. */
  readonly newPinHash: string | null;
}

/**
 * Signs people in at stations: by number or badge, and PIN. What is wrong, a caller does not learn:
 * the same statements run, and one hash, for an unknown number, a wrong or locked PIN, and a person
 * or station that is refused.
 */
@Injectable()
export class StationSignInService {
  constructor(
    private readonly database: Database,
    private readonly workers: WorkerRepository,
    private readonly stations: StationRepository,
    private readonly badges: BadgeService,
    private readonly pins: PinHasher,
    private readonly pinResets: PinResetService,
    private readonly accounts: AccountService,
    private readonly policies: SignInPolicies,
    private readonly signIns: SignInCheck,
    private readonly sessions: SessionService,
    private readonly logouts: LogoutService,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
    private readonly counts: SignInCounts,
  ) {}

  /**
   * Starts a session at a station, and ends that of the person before.
   * @param station that has proved its key
   * @throws {AppError} invalid-credentials; validation-error on `newPin` for a guessable one, and
   *   without one for a temporary PIN; too-many-requests while the organization has too many wrong
   *   PINs; insufficient-user-authentication if its policy asks for more
   */
  async signIn(station: RegisteredStation, given: StationSignInDto, client: Client): Promise<TokenResponse> {
    if (await this.stations.isBraked(station.tenantId))
      throw new AppError('too-many-requests', { retryAfterSeconds: BRAKE_SECONDS });
    const proven = await this.prove(station, given, client);
    const grant = await this.database.transaction(() => this.start(station, proven, client));
    return this.tokens.issue(grant);
  }

  private async prove(
    { tenantId, id: stationId }: RegisteredStation,
    { badge, number, pin, newPin }: StationSignInDto,
    client: Client,
  ): Promise<Proven> {
    const network = networkOf(client.ipAddress);
    const { stations: rule } = await this.policies.get(tenantId);
    const atStation = await this.stations.takeAttempt(tenantId, stationId);
    const worker = await this.find(tenantId, badge, number);
    // A station that is locked locks no PIN: else its holder could lock out everyone.
    const counted = atStation === null ? null : worker;
    const ofPerson = await this.workers.takeAttempt(tenantId, counted?.userId ?? '');
    const isOpen = atStation !== null && ofPerson !== null && maySignIn(worker, rule);
    const userId = worker?.userId ?? (stationId as UserId);
    const isRight = await this.pins.verify(userId, pin, isOpen ? (worker?.pinHash ?? null) : null, network);
    if (!worker || !isRight) {
      await this.recordFailure(tenantId, stationId, worker, ofPerson);
      this.counts.refused('wrong-pin', { tenantId });
      throw new AppError('invalid-credentials');
    }
    await this.workers.clearAttempts(tenantId, userId);
    await this.stations.returnAttempt(tenantId, stationId);
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

  /** Joins the open transaction. Locks account, worker and membership, station, sessions. */
  private async start(
    station: RegisteredStation,
    { worker: { userId, pinHash }, newPinHash }: Proven,
    client: Client,
  ): Promise<GrantView> {
    const { tenantId, id: stationId } = station;
    const { stations: rule } = await this.policies.get(tenantId);
    const locked = await this.accounts.lockActiveForShare(userId);
    const worker = await this.workers.findForSignIn(tenantId, userId);
    const isOfUse = worker !== null && (await this.pinResets.isPinOfUse(tenantId, worker));
    const before = await this.stations.findActiveForUpdate(tenantId, stationId);
    if (!locked || !isOfUse || !before || !maySignIn(worker, rule) || worker.pinHash !== pinHash)
      throw new AppError('invalid-credentials');
    if (before.sessionId && before.userId) await this.logouts.endSession(before.userId, before.sessionId);
    const { jkt, idleSeconds, shiftSeconds } = station;
    const untilEnd = Math.floor(worker.endsInSeconds ?? shiftSeconds);
    const lifetimeSeconds = Math.max(1, Math.min(shiftSeconds, untilEnd));
    const grant = await this.sessions.startSession(locked, [{ method: 'pin' }], client, {
      id: stationId,
      tenantId,
      jkt,
      idleSeconds,
      lifetimeSeconds,
    });
    await this.signIns.require(grant, tenantId);
    await this.stations.noteSession(tenantId, stationId, { sessionId: grant.sessionId, userId });
    if (newPinHash !== null)
      await this.workers.setPin(tenantId, userId, {
        pinHash: newPinHash,
        pinExpiresAt: null,
        pinSetBy: null,
      });
    await this.workers.noteSignIn(tenantId, userId);
    await this.record(tenantId, userId, 'signed-in', stationId);
    if (newPinHash !== null) await this.record(tenantId, userId, 'pin-changed', stationId);
    return grant;
  }

  /** Locks what has reached its limit, and says so in the trail. */
  private recordFailure(
    tenantId: TenantId,
    stationId: string,
    worker: SigningWorker | null,
    attempts: number | null,
  ): Promise<void> {
    return this.database.transaction(async () => {
      if (worker && attempts === MAX_PIN_FAILURES)
        await this.record(tenantId, worker.userId, 'pin-locked', stationId);
      if (!(await this.stations.lockOut(tenantId, stationId))) return;
      const actorId = (worker?.userId ?? tenantId) as UserId;
      const subject = `iam/stations/${stationId}`;
      await this.audit.record({ actorId, tenantId, action: 'station.locked', subject });
    });
  }

  private record(tenantId: TenantId, userId: UserId, what: string, stationId: string): Promise<void> {
    const subject = `iam/workers/${userId}`;
    return this.audit.record({
      actorId: userId,
      tenantId,
      action: `worker.${what}`,
      subject,
      holderId: stationId,
    });
  }
}

/** Returns whether the organization lets a person sign in at stations now. */
function maySignIn(worker: SigningWorker | null, rule: SignInPolicy['stations']): boolean {
  return worker?.isActive === true && isNamedBy(rule, worker.hasAddress);
}
