import { Inject, Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../iam/index.js';
import { SETTINGS, type Settings } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { AppError } from '../platform/errors/index.js';
import type { TenantId } from '../platform/http/index.js';
import { Metrics, type Count } from '../platform/observability/index.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { LogoutService } from './logout.service.js';
import { RefreshTokenCodec, type RefreshTokenContent } from './refresh-token.js';
import { TokenIssuer } from './token-issuer.js';
import type { TokenResponse } from './token.response.js';

/** A grant as it is after a refresh, or the word for why there is none. */
type Outcome =
  | { readonly grant: GrantView; readonly as: 'rotated' | 'repeated' }
  | { readonly reused: GrantView }
  | 'refused';

const OUTCOMES = ['rotated', 'repeated', 'refused', 'reused', 'not-a-member'] as const;

/** Rotation of refresh tokens (contract section 2). */
@Injectable()
export class RefreshService {
  private readonly refreshes: Count<{ outcome: typeof OUTCOMES }>;

  constructor(
    private readonly database: Database,
    private readonly grants: GrantRepository,
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly tokens: TokenIssuer,
    private readonly logouts: LogoutService,
    private readonly directory: MembershipDirectory,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.refreshes = metrics.counter({
      name: 'gatehouse_refreshes_total',
      help: 'Refreshes by outcome: rotated, repeated (within the retry window), refused, reused (the session ended), not-a-member (of the tenant asked for).',
      labels: { outcome: OUTCOMES },
    });
  }

  /**
   * Rotates the refresh token. The immediate predecessor gets the same successor again within the retry window; an older one, or one
   * after the window, is reuse and ends the session.
   * @param tenantId the tenant that this caller works in, instead of the one selected on the grant
   * @throws {AppError} invalid-refresh-token; not-a-member, and then nothing has been rotated
   */
  async refresh(refreshToken: string, tenantId?: TenantId): Promise<TokenResponse> {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) throw this.refused('refused');
    const outcome =
      tenantId === undefined
        ? await this.rotate(presented)
        : await this.database.transaction(() => this.rotateInto(tenantId, presented));
    if (outcome === 'refused') throw this.refused('refused');
    if ('reused' in outcome) {
      await this.logouts.endReused(outcome.reused, 'refresh-token');
      throw this.refused('reused');
    }
    this.refreshes.inc({ outcome: outcome.as });
    return this.tokens.issue(outcome.grant, tenantId);
  }

  /**
   * Ends the session that a refresh token belongs to, while it goes on; not the `except`ed one. Any generation will do: who has an old one could end
   * the session by presenting it. What this service did not make ends nothing.
   */
  async endSessionOf(refreshToken: string, except: string): Promise<void> {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) return;
    const grant = await this.grants.findStanding(presented.grantId, this.settings.REFRESH_RETRY_WINDOW);
    if (grant?.alive && grant.sessionId !== except) await this.logouts.endOne(grant.userId, grant.sessionId);
  }

  /** The membership is asked for once the grant is held, which whoever ends a membership holds as well. */
  private async rotateInto(tenantId: TenantId, presented: RefreshTokenContent): Promise<Outcome> {
    const outcome = await this.rotate(presented);
    if (outcome === 'refused' || 'reused' in outcome) return outcome;
    if (!(await this.directory.isMemberNow(outcome.grant.userId, tenantId))) {
      this.refreshes.inc({ outcome: 'not-a-member' });
      throw new AppError('not-a-member');
    }
    return outcome;
  }

  private async rotate({ grantId, generation }: RefreshTokenContent): Promise<Outcome> {
    const rotated = await this.grants.rotate(grantId, generation, this.settings.REFRESH_IDLE_TTL);
    if (rotated) return { grant: rotated, as: 'rotated' };
    const standing = await this.grants.findStanding(grantId, this.settings.REFRESH_RETRY_WINDOW);
    if (!standing?.alive || generation >= standing.generation) return 'refused';
    const repeated = generation === standing.generation - 1 && standing.withinRetryWindow;
    return repeated ? { grant: standing, as: 'repeated' } : { reused: standing };
  }

  private refused(outcome: 'refused' | 'reused'): AppError {
    this.refreshes.inc({ outcome });
    return new AppError('invalid-refresh-token');
  }
}
