import { Inject, Injectable } from '@nestjs/common';
import { SignInCheck } from '../../ability/index.js';
import { type ClientCredentials, ClientService } from '../../client/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database, Primary } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { FIRST_PARTY_CLIENT, type TenantId } from '../../kernel/index.js';
import { type Count, Metrics } from '../../platform/observability/index.js';
import { EmergencyEntries } from './emergency-entries.js';
import type { ProvenStation } from './proven-station.js';
import { GrantRefreshRepository } from './grant-refresh.repository.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { LogoutService } from '../sessions/logout.service.js';
import { RefreshTokenCodec, type RefreshTokenContent } from '../tokens/refresh-token.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import { TenantAdmission } from './tenant-admission.js';
import type { TokenResponse } from '../tokens/token.response.js';

/** The grant after a refresh, or the reason for the refusal. */
type Outcome =
  | { readonly grant: GrantView; readonly as: 'rotated' | 'repeated' }
  | { readonly reused: GrantView }
  | 'refused'
  | 'invalid-client';

/** A client that has authenticated. */
interface RefreshingClient {
  readonly clientId: string;
  readonly isConfidential: boolean;
  /** Organization that it belongs to; null for none. */
  readonly tenantId: TenantId | null;
  /** Key that it has proved; null without a proof. */
  readonly jkt: string | null;
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

/** Rotates refresh tokens (ADR 3, API-4). */
@Injectable()
export class RefreshService {
  private readonly refreshes: Count<{ outcome: typeof OUTCOMES }>;

  constructor(
    private readonly database: Database,
    private readonly grants: GrantRepository,
    private readonly refreshing: GrantRefreshRepository,
    private readonly refreshTokens: RefreshTokenCodec,
    private readonly tokens: TokenIssuer,
    private readonly logouts: LogoutService,
    private readonly directory: MembershipDirectory,
    private readonly signIns: SignInCheck,
    private readonly emergencies: EmergencyEntries,
    private readonly admission: TenantAdmission,
    private readonly primary: Primary,
    private readonly clients: ClientService,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.refreshes = metrics.counter({
      name: 'gatehouse_refreshes_total',
      help: 'Refreshes by outcome: rotated, repeated (within the retry window), refused, reused (the session ended), not-a-member (of the requested tenant), insufficient-sign-in (for that tenant), invalid-client (the secret of the satellite is missing or wrong).',
      labels: { outcome: OUTCOMES },
    });
  }

  /**
   * Rotates the refresh token. Within the retry window, the immediate predecessor returns the same
   * successor again. An older token, or a predecessor after the window, is reuse and ends the
   * session.
   * @param refreshToken as the client presents it
   * @param tenantId tenant of the access token of this response; by default the tenant selected
   *   in the grant
   * @param credentials of the satellite that the grant was issued to; none for a first-party
   *   grant
   * @param station that has proved its key: that of the grant, if it is one of a station
   * @throws {AppError} invalid-refresh-token; not-a-member, insufficient-user-authentication (the
   *   requested tenant refuses the sign-in) or invalid-client, which neither rotate the token nor
   *   end the session
   */
  async refresh(
    refreshToken: string,
    tenantId?: TenantId,
    credentials?: Partial<ClientCredentials>,
    station?: ProvenStation,
  ): Promise<TokenResponse> {
    const presented = this.decode(refreshToken);
    const clientId = await this.requireClient(credentials);
    const grant = await this.settle(
      tenantId === undefined
        ? await this.rotate(presented, clientId, false, station)
        : await this.database.transaction(() =>
            this.rotateIntoTenant(tenantId, presented, clientId, station),
          ),
    );
    // A selected tenant is in the grant, which notes each use. That of a tab is not.
    if (tenantId !== undefined && tenantId !== grant.tenantId)
      this.directory.noteActivity(grant.userId, tenantId);
    return this.tokens.issue(grant, tenantId);
  }

  /**
   * Refreshes a grant of OpenID Connect for a client that has authenticated. A confidential client
   * keeps its token, and so does one that proves the key that the grant is bound to; that of
   * another public client is rotated as in {@link refresh}.
   * @throws {AppError} invalid-refresh-token, also for another client's token, and for a bound one
   *   without the proof of its key; not-a-member if the organization of the client does not accept
   *   the grant, which neither rotates the token nor ends the session
   */
  async refreshOfClient(refreshToken: string, client: RefreshingClient): Promise<GrantView> {
    const outcome = await this.renewOrRotate(this.decode(refreshToken), client);
    return this.settle(outcome === 'invalid-client' ? 'refused' : outcome);
  }

  /**
   * Ends the session of a first-party refresh token. Accepts any generation, because the refresh of
   * an old one ends the session as well. Ignores a forged token, and a satellite's, which is not
   * accompanied by the client secret.
   * @param refreshToken as the client presents it
   * @param except a session that is not ended
   */
  async endSessionByToken(refreshToken: string, except: string): Promise<void> {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) return;
    const grant = await this.grants.findStateForShare(presented.grantId, this.settings.REFRESH_RETRY_WINDOW);
    if (!grant?.alive || grant.clientId !== FIRST_PARTY_CLIENT) return;
    if (grant.sessionId !== except) await this.logouts.endSession(grant.userId, grant.sessionId);
  }

  /**
   * Checks the membership after the rotation has locked the grant: ending a membership locks the
   * grant as well, so that no refresh selects a tenant after it.
   */
  private async rotateIntoTenant(
    tenantId: TenantId,
    presented: RefreshTokenContent,
    clientId: string,
    station?: ProvenStation,
  ): Promise<Outcome> {
    const outcome = await this.rotate(presented, clientId, false, station);
    if (typeof outcome === 'string' || 'reused' in outcome) return outcome;
    if (
      !maySelectTenant(outcome.grant, tenantId) ||
      !(await this.directory.hasAccessUncached(outcome.grant.userId, tenantId))
    ) {
      this.refreshes.inc({ outcome: 'not-a-member' });
      throw new AppError('not-a-member');
    }
    await this.requireSignIn(outcome.grant, tenantId);
    await this.emergencies.note(outcome.grant, tenantId);
    return outcome;
  }

  /** Renews the token of a client that keeps it, and rotates that of another one. */
  private async renewOrRotate(
    presented: RefreshTokenContent,
    { clientId, isConfidential, tenantId, jkt }: RefreshingClient,
  ): Promise<Outcome> {
    if (isConfidential || jkt !== null) {
      const kept = { jkt, acceptsUnbound: isConfidential };
      const grant = await this.refreshing.renew(this.presentedBy(clientId, presented, true), kept);
      if (grant) return this.requireAdmission({ grant, as: 'repeated' }, tenantId);
      if (isConfidential) return 'refused';
    }
    if (tenantId === null) return this.rotate(presented, clientId, true);
    // A refusal rolls the rotation back: the client does not get the new token, and would end the
    // session by the old one later.
    return this.database.transaction(async () =>
      this.requireAdmission(await this.rotate(presented, clientId, true), tenantId),
    );
  }

  /** @param tenantId organization of the client; null for none, which every grant is for */
  private async requireAdmission(outcome: Outcome, tenantId: TenantId | null): Promise<Outcome> {
    if (tenantId === null || typeof outcome === 'string' || 'reused' in outcome) return outcome;
    if (await this.admission.admits(outcome.grant, tenantId)) return outcome;
    this.refreshes.inc({ outcome: 'not-a-member' });
    throw new AppError('not-a-member');
  }

  private async requireSignIn(grant: GrantView, tenantId: TenantId): Promise<void> {
    await this.signIns.require(grant, tenantId).catch((refusal: unknown) => {
      this.refreshes.inc({ outcome: 'insufficient-sign-in' });
      throw refusal;
    });
  }

  /**
   * @param ofOpenId whether the grant must be one of OpenID Connect, which {@link refreshOfClient}
   *   alone renews: its tokens name the person as the client knows them
   */
  private async rotate(
    presented: RefreshTokenContent,
    clientId: string,
    ofOpenId: boolean,
    station?: ProvenStation,
  ): Promise<Outcome> {
    const { grantId, generation } = presented;
    const { jkt = null, idleSeconds } = station ?? {};
    const rotated = await this.refreshing.rotate(
      this.presentedBy(clientId, presented, ofOpenId, idleSeconds),
      jkt,
    );
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

  private presentedBy(
    clientId: string,
    presented: RefreshTokenContent,
    ofOpenId: boolean,
    idleSeconds = this.settings.REFRESH_IDLE_TTL,
  ) {
    return { ...presented, clientId, ofOpenId, idleSeconds };
  }

  /**
   * Authenticates the client that refreshes: the first-party client, which has no secret, unless
   * the request names another.
   * @returns the id of the client
   * @throws {AppError} invalid-client
   */
  private async requireClient(credentials: Partial<ClientCredentials> = {}): Promise<string> {
    const { clientId, clientSecret } = credentials;
    if (clientId === undefined && clientSecret === undefined) return FIRST_PARTY_CLIENT;
    if (clientId === undefined || clientSecret === undefined) throw this.invalidClient();
    await this.clients.requireClient({ clientId, clientSecret }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'invalid-client' ? this.invalidClient(error) : error;
    });
    return clientId;
  }

  private invalidClient(refusal = new AppError('invalid-client')): AppError {
    this.refreshes.inc({ outcome: 'invalid-client' });
    return refusal;
  }

  /** @throws {AppError} invalid-refresh-token for a forged token */
  private decode(refreshToken: string): RefreshTokenContent {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) throw this.refused('refused');
    return presented;
  }

  /**
   * Returns the grant of a refresh. Refuses a token only if the primary does not know it: its
   * client then signs out. Ends the session after a reuse.
   * @throws {AppError} invalid-client, invalid-refresh-token
   */
  private async settle(outcome: Outcome): Promise<GrantView> {
    if (outcome === 'invalid-client') throw this.invalidClient();
    if (outcome === 'refused') {
      await this.primary.confirmRead();
      throw this.refused('refused');
    }
    if ('reused' in outcome) {
      await this.logouts.endSessionAfterReuse(outcome.reused, 'refresh-token');
      throw this.refused('reused');
    }
    this.refreshes.inc({ outcome: outcome.as });
    return outcome.grant;
  }

  private refused(outcome: 'refused' | 'reused'): AppError {
    this.refreshes.inc({ outcome });
    return new AppError('invalid-refresh-token');
  }
}

/**
 * The grant of a satellite or station keeps the tenant that it was issued for, so that it cannot
 * follow the person into other tenants.
 */
function maySelectTenant(
  { clientId, stationId, tenantId: issuedTenantId }: GrantView,
  tenantId: TenantId,
): boolean {
  return (clientId === FIRST_PARTY_CLIENT && stationId === null) || issuedTenantId === tenantId;
}
