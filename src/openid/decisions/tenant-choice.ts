import { Injectable } from '@nestjs/common';
import { AuthenticationCheck, denialError, denyByState, forbid, SignInCheck } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { PersonPrincipal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Api, Client } from '../../client/index.js';
import { concernsTenant } from '../openid-scopes.js';

/** What a client asks for. */
interface Request {
  readonly client: Pick<Client, 'tenantId' | 'firstParty'>;
  readonly scopes: readonly string[];
  /** API that it asks for; null for this service. */
  readonly api: Pick<Api, 'tenantId'> | null;
}

/** Selects the organization of a grant. */
@Injectable()
export class TenantChoice {
  constructor(
    private readonly authentication: AuthenticationCheck,
    private readonly signIns: SignInCheck,
    private readonly directory: MembershipDirectory,
  ) {}

  /** Returns the organization that {@link select} selects, which may refuse the caller. */
  find(
    caller: PersonPrincipal,
    { client, scopes, api }: Request,
    requested: TenantId | undefined,
  ): TenantId | null {
    const chosen = concernsTenant(scopes) || api ? (requested ?? caller.tenantId) : null;
    return client.tenantId ?? api?.tenantId ?? chosen;
  }

  /**
   * Selects that of the client or the API if it belongs to one, whatever is requested: only its
   * members sign in to it.
   * @param requested by default the selected organization
   * @returns null if neither client, API nor scopes concern one
   * @throws {AppError} not-a-member; insufficient-user-authentication for its sign-in policy, and
   *   without a proof of the person's own outside of all organizations and for a third party, which
   *   would take the caller for the person; forbidden by the state of an archived organization, for
   *   a client that belongs to it
   */
  async select(
    caller: PersonPrincipal,
    request: Request,
    requested: TenantId | undefined,
  ): Promise<TenantId | null> {
    const { client, api } = request;
    const tenantId = this.find(caller, request, requested);
    const fixed = client.tenantId ?? api?.tenantId ?? null;
    // The caller chooses the scopes of a request: `tenant` opens no third party to a provider.
    const isOutside = client.tenantId === null && !client.firstParty;
    if (tenantId === null || isOutside) await this.authentication.requireOwnProof(caller, null);
    if (tenantId === null) return null;
    if (!(await this.directory.isMember(caller.userId, tenantId))) throw new AppError('not-a-member');
    if (fixed !== null) await this.requireOpen(fixed);
    await this.signIns.require(caller, tenantId);
    return tenantId;
  }

  private async requireOpen(tenantId: TenantId): Promise<void> {
    const state = await this.directory.findState(tenantId, false);
    if (state?.archived !== false) throw denialError(denyByState(forbid('tenant.archived')));
  }
}
