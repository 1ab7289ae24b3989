import { Injectable } from '@nestjs/common';
import { type ClientCredentials, ClientService } from '../../client/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { FIRST_PARTY_CLIENT, type TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { RefreshTokenContent } from '../tokens/refresh-token.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TokenResponse } from '../tokens/token.dto.js';
import { GrantRotation, type Rotation } from './grant-rotation.js';
import type { GrantView } from './grant.repository.js';
import type { ProvenStation } from './proven-station.js';
import { TenantAdmission } from './tenant-admission.js';

/** A client that has authenticated. */
interface RefreshingClient {
  readonly clientId: string;
  readonly isConfidential: boolean;
  /** Organization that it belongs to; null for none. */
  readonly tenantId: TenantId | null;
  /** Key that it has proved; null without a proof. */
  readonly jkt: string | null;
}

/** Refreshes grants (API-4). */
@Injectable()
export class RefreshService {
  constructor(
    private readonly database: Database,
    private readonly rotation: GrantRotation,
    private readonly clients: ClientService,
    private readonly directory: MembershipDirectory,
    private readonly admission: TenantAdmission,
    private readonly tokens: TokenIssuer,
  ) {}

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
    const presented = this.rotation.decode(refreshToken);
    const presenter = { clientId: await this.requireClient(credentials), ofOpenId: false, station };
    const rotate = () => this.rotation.rotate(presented, presenter);
    const grant = await this.rotation.settle(
      tenantId === undefined
        ? await rotate()
        : await this.database.transaction(async () => this.requireEntry(await rotate(), tenantId)),
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
    const rotation = await this.renewOrRotate(this.rotation.decode(refreshToken), client);
    return this.rotation.settle(rotation === 'invalid-client' ? 'refused' : rotation);
  }

  /**
   * Checks the membership after the rotation has locked the grant: ending a membership locks the
   * grant as well, so that no refresh selects a tenant after it.
   */
  private async requireEntry(rotation: Rotation, tenantId: TenantId): Promise<Rotation> {
    if (typeof rotation === 'string' || 'reused' in rotation) return rotation;
    const { grant } = rotation;
    if (
      !maySelectTenant(grant, tenantId) ||
      !(await this.directory.hasAccessUncached(grant.userId, tenantId))
    )
      throw this.notAMember();
    await this.admission.enter(grant, tenantId).catch((error: unknown) => {
      this.rotation.count('insufficient-sign-in');
      throw error;
    });
    return rotation;
  }

  /** Renews the token of a client that keeps it, and rotates that of another one. */
  private async renewOrRotate(
    presented: RefreshTokenContent,
    { clientId, isConfidential, tenantId, jkt }: RefreshingClient,
  ): Promise<Rotation> {
    if (isConfidential || jkt !== null) {
      const kept = { jkt, acceptsUnbound: isConfidential };
      const grant = await this.rotation.renew(presented, clientId, kept);
      if (grant) return this.requireAdmission({ grant, as: 'repeated' }, tenantId);
      if (isConfidential) return 'refused';
    }
    const rotate = () => this.rotation.rotate(presented, { clientId, ofOpenId: true });
    if (tenantId === null) return rotate();
    // A refusal rolls the rotation back: the client does not get the new token, and would end the
    // session by the old one later.
    return this.database.transaction(async () => this.requireAdmission(await rotate(), tenantId));
  }

  /** @param tenantId organization of the client; null for none, which every grant is for */
  private async requireAdmission(rotation: Rotation, tenantId: TenantId | null): Promise<Rotation> {
    if (tenantId === null || typeof rotation === 'string' || 'reused' in rotation) return rotation;
    if (!(await this.admission.admits(rotation.grant, tenantId))) throw this.notAMember();
    return rotation;
  }

  private notAMember(): AppError {
    this.rotation.count('not-a-member');
    return new AppError('not-a-member');
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
    if (clientId === undefined || clientSecret === undefined) throw this.rotation.invalidClient();
    await this.clients.requireClient({ clientId, clientSecret }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'invalid-client'
        ? this.rotation.invalidClient(error)
        : error;
    });
    return clientId;
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
