import { Inject, Injectable } from '@nestjs/common';
import { FIRST_PARTY_CLIENT } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Primary } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type Count, Metrics } from '../../platform/observability/index.js';
import { LogoutService } from '../sessions/logout.service.js';
import { RefreshTokenCodec, type RefreshTokenContent } from '../tokens/refresh-token.js';
import { GrantRefreshRepository } from './grant-refresh.repository.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import type { ProvenStation } from './proven-station.js';

/** The grant after a refresh, or the reason for the refusal. */
export type Rotation =
  | { readonly grant: GrantView; readonly as: 'rotated' | 'repeated' }
  | { readonly reused: GrantView }
  | 'refused'
  | 'invalid-client';

/** Who presents a refresh token. */
interface Presenter {
  readonly clientId: string;
  /** Whether the grant must be one of OpenID Connect, whose tokens the client may keep. */
  readonly ofOpenId: boolean;
  /** Station that has proved its key. */
  readonly station?: ProvenStation | undefined;
}

const OUTCOMES = [
  'rotated',
  'repeated',
  'refused',
  'reused',
  'not-a-member',
  'insufficient-sign-in',
  'invalid-client',
] as const;

/** Rotates the refresh tokens of grants, and finds those that are presented again (ADR 3). */
@Injectable()
export class GrantRotation {
  private readonly refreshes: Count<{ outcome: typeof OUTCOMES }>;

  constructor(
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly refreshing: GrantRefreshRepository,
    private readonly grants: GrantRepository,
    private readonly logouts: LogoutService,
    private readonly primary: Primary,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.refreshes = metrics.counter({
      name: 'gatehouse_refreshes_total',
      help: 'Refreshes by outcome: rotated, repeated (within the retry window), refused, reused (the session ended), not-a-member (of the requested tenant), insufficient-sign-in (for that tenant), invalid-client (the secret of the satellite is missing or wrong).',
      labels: { outcome: OUTCOMES },
    });
  }

  /** @throws {AppError} invalid-refresh-token for a forged token */
  decode(refreshToken: string): RefreshTokenContent {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) throw this.refused('refused');
    return presented;
  }

  /**
   * Rotates a token. Within the retry window, the immediate predecessor returns the same successor
   * again; an older token, or a predecessor after the window, is reuse.
   */
  async rotate(
    presented: RefreshTokenContent,
    { clientId, ofOpenId, station }: Presenter,
  ): Promise<Rotation> {
    const { grantId, generation } = presented;
    const { jkt = null, idleSeconds = this.settings.REFRESH_IDLE_TTL } = station ?? {};
    const rotated = await this.refreshing.rotate({ ...presented, clientId, ofOpenId, idleSeconds }, jkt);
    if (rotated) return { grant: rotated, as: 'rotated' };
    const state = await this.grants.findStateForShare(grantId, this.settings.REFRESH_RETRY_WINDOW);
    // Checked first: a caller without the secret can neither end the session by an old token nor
    // find out whether it is alive.
    if (state && state.clientId !== clientId) return 'invalid-client';
    // No reuse: where the other kind is renewed, the token may be the current one.
    if (state && (state.grantedScopes !== null) !== ofOpenId) return 'refused';
    // Without the key of its station, a token neither refreshes nor ends the session.
    if (state && state.stationId !== null && state.dpopJkt !== jkt) return 'refused';
    if (!state?.alive || generation >= state.generation) return 'refused';
    const repeated = generation === state.generation - 1 && state.withinRetryWindow;
    return repeated ? { grant: state, as: 'repeated' } : { reused: state };
  }

  /** Notes a use of a token of OpenID Connect, which its client keeps. @returns null if refused */
  renew(
    presented: RefreshTokenContent,
    clientId: string,
    binding: { readonly jkt: string | null; readonly acceptsUnbound: boolean },
  ): Promise<GrantView | null> {
    const idleSeconds = this.settings.REFRESH_IDLE_TTL;
    return this.refreshing.renew({ ...presented, clientId, ofOpenId: true, idleSeconds }, binding);
  }

  /**
   * Returns the grant of a committed rotation. Refuses a token only if the primary does not know
   * it: its client then signs out. Ends the session after a reuse.
   * @throws {AppError} invalid-client, invalid-refresh-token
   */
  async settle(rotation: Rotation): Promise<GrantView> {
    if (rotation === 'invalid-client') throw this.invalidClient();
    if (rotation === 'refused') {
      await this.primary.confirmRead();
      throw this.refused('refused');
    }
    if ('reused' in rotation) {
      await this.logouts.endSessionAfterReuse(rotation.reused, 'refresh-token');
      throw this.refused('reused');
    }
    this.count(rotation.as);
    return rotation.grant;
  }

  /**
   * Ends the session of a first-party refresh token. Accepts any generation, because the refresh of
   * an old one ends the session as well. Ignores a forged token, and a satellite's, which is not
   * accompanied by the client secret.
   * @param refreshToken as the client presents it
   * @param except a session that is not ended
   */
  async endSession(refreshToken: string, except: string): Promise<void> {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) return;
    const grant = await this.grants.findStateForShare(presented.grantId, this.settings.REFRESH_RETRY_WINDOW);
    if (!grant?.alive || grant.clientId !== FIRST_PARTY_CLIENT) return;
    if (grant.sessionId !== except) await this.logouts.endSession(grant.userId, grant.sessionId);
  }

  /** Counts a refresh. {@link settle} counts those that it returns or refuses. */
  count(outcome: (typeof OUTCOMES)[number]): void {
    this.refreshes.inc({ outcome });
  }

  /** Counts the refusal of a client. @returns the error */
  invalidClient(refusal = new AppError('invalid-client')): AppError {
    this.count('invalid-client');
    return refusal;
  }

  private refused(outcome: 'refused' | 'reused'): AppError {
    this.count(outcome);
    return new AppError('invalid-refresh-token');
  }
}
