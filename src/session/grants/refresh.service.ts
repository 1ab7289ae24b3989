import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { MembershipDirectory } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { FIRST_PARTY_CLIENT, type TenantId } from '../../kernel/index.js';
import { type Count, Metrics } from '../../platform/observability/index.js';
import { ClientRegistry, type ClientCredentials } from '../clients/client-registry.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { LogoutService } from '../sessions/logout.service.js';
import { RefreshTokenCodec, type RefreshTokenContent } from '../tokens/refresh-token.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TokenResponse } from '../tokens/token.response.js';

/** A grant as it is after a refresh, or the word for why there is none. */
type Outcome =
  | { readonly grant: GrantView; readonly as: 'rotated' | 'repeated' }
  | { readonly reused: GrantView }
  | 'refused'
  | 'invalid-client';

const OUTCOMES = ['rotated', 'repeated', 'refused', 'reused', 'not-a-member', 'invalid-client'] as const;

/** Rotation of refresh tokens (ADR 3). */
@Injectable()
export class RefreshService implements OnModuleInit {
  private readonly refreshes: Count<{ outcome: typeof OUTCOMES }>;
  private clients: ClientRegistry | undefined;

  constructor(
    private readonly database: Database,
    private readonly grants: GrantRepository,
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly tokens: TokenIssuer,
    private readonly logouts: LogoutService,
    private readonly directory: MembershipDirectory,
    private readonly modules: ModuleRef,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.refreshes = metrics.counter({
      name: 'gatehouse_refreshes_total',
      help: 'Refreshes by outcome: rotated, repeated (within the retry window), refused, reused (the session ended), not-a-member (of the tenant asked for), invalid-client (the secret of the satellite is missing or wrong).',
      labels: { outcome: OUTCOMES },
    });
  }

  onModuleInit(): void {
    this.clients = this.modules.get<ClientRegistry, ClientRegistry>(ClientRegistry, { strict: false });
  }

  /**
   * Rotates the refresh token. The immediate predecessor gets the same successor again within the retry window; an older one, or one
   * after the window, is reuse and ends the session.
   * @param tenantId the tenant that this caller works in, instead of the one selected on the grant
   * @param credentials of the satellite that the grant was issued to; none for a grant of our own app
   * @throws {AppError} invalid-refresh-token; not-a-member or invalid-client, and then nothing has been rotated and no session has ended
   */
  async refresh(
    refreshToken: string,
    tenantId?: TenantId,
    credentials?: Partial<ClientCredentials>,
  ): Promise<TokenResponse> {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) throw this.refused('refused');
    const clientId = await this.requireClient(credentials);
    const outcome =
      tenantId === undefined
        ? await this.rotate(presented, clientId)
        : await this.database.transaction(() => this.rotateInto(tenantId, presented, clientId));
    if (outcome === 'invalid-client') throw this.invalidClient();
    if (outcome === 'refused') throw this.refused('refused');
    if ('reused' in outcome) {
      await this.logouts.endReused(outcome.reused, 'refresh-token');
      throw this.refused('reused');
    }
    this.refreshes.inc({ outcome: outcome.as });
    return this.tokens.issue(outcome.grant, tenantId);
  }

  /**
   * Ends the session of a refresh token of our own app, unless it is the `except`ed one. Any generation will do: an old one ends the session when it
   * is refreshed, too. A satellite's token ends nothing here, as no secret comes with it; nor does a forged one.
   */
  async endSessionOf(refreshToken: string, except: string): Promise<void> {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) return;
    const grant = await this.grants.findStanding(presented.grantId, this.settings.REFRESH_RETRY_WINDOW);
    if (!grant?.alive || grant.clientId !== FIRST_PARTY_CLIENT) return;
    if (grant.sessionId !== except) await this.logouts.endOne(grant.userId, grant.sessionId);
  }

  /** The membership is asked for once the grant is held, which whoever ends a membership holds as well. */
  private async rotateInto(
    tenantId: TenantId,
    presented: RefreshTokenContent,
    clientId: string,
  ): Promise<Outcome> {
    const outcome = await this.rotate(presented, clientId);
    if (typeof outcome === 'string' || 'reused' in outcome) return outcome;
    if (
      !mayWorkIn(outcome.grant, tenantId) ||
      !(await this.directory.isMemberNow(outcome.grant.userId, tenantId))
    ) {
      this.refreshes.inc({ outcome: 'not-a-member' });
      throw new AppError('not-a-member');
    }
    return outcome;
  }

  private async rotate(presented: RefreshTokenContent, clientId: string): Promise<Outcome> {
    const { grantId, generation } = presented;
    const rotated = await this.grants.rotate(presented, clientId, this.settings.REFRESH_IDLE_TTL);
    if (rotated) return { grant: rotated, as: 'rotated' };
    const standing = await this.grants.findStanding(grantId, this.settings.REFRESH_RETRY_WINDOW);
    // Asked first: a caller without the secret ends no session by an old token, and does not learn whether one goes on.
    if (standing && standing.clientId !== clientId) return 'invalid-client';
    if (!standing?.alive || generation >= standing.generation) return 'refused';
    const repeated = generation === standing.generation - 1 && standing.withinRetryWindow;
    return repeated ? { grant: standing, as: 'repeated' } : { reused: standing };
  }

  /**
   * The client that refreshes: our own app, which has no secret, unless the request names another.
   * @throws {AppError} invalid-client
   */
  private async requireClient(credentials: Partial<ClientCredentials> = {}): Promise<string> {
    const { clientId, clientSecret } = credentials;
    if (clientId === undefined && clientSecret === undefined) return FIRST_PARTY_CLIENT;
    if (clientId === undefined || clientSecret === undefined) throw this.invalidClient();
    if (!(await this.clients?.findClient({ clientId, clientSecret }))) throw this.invalidClient();
    return clientId;
  }

  private invalidClient(): AppError {
    this.refreshes.inc({ outcome: 'invalid-client' });
    return new AppError('invalid-client');
  }

  private refused(outcome: 'refused' | 'reused'): AppError {
    this.refreshes.inc({ outcome });
    return new AppError('invalid-refresh-token');
  }
}

/** A satellite's grant stays in the tenant that was handed over, so that no satellite follows its visitor into others. */
function mayWorkIn({ clientId, tenantId: handedOver }: GrantView, tenantId: TenantId): boolean {
  return clientId === FIRST_PARTY_CLIENT || handedOver === tenantId;
}
