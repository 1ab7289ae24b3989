import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  FIRST_PARTY_CLIENT,
  type LifecycleEvents,
  type PersonPrincipal,
  type UserId,
} from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Page } from '../../platform/api/index.js';
import { SessionService } from '../../session/index.js';
import { FlowConnections } from '../flow/flow-connections.js';
import { ExternalCodeService } from '../flow/code/code.service.js';
import { StartService, type StartedFlow, type StartRequest } from '../flow/start.service.js';
import { IdentityRepository, type Identity, type ListedIdentity } from './identity.repository.js';
import { invalidLinkCode, LinkCodeService } from './link-code.service.js';
import { LinkMails } from './link-mails.js';
import { LinkingService } from './linking.service.js';
import { ProviderGrants } from './provider-grants.js';

/** Lists, links and unlinks the caller's external identities. */
@Injectable()
export class IdentityService {
  constructor(
    private readonly database: Database,
    private readonly identities: IdentityRepository,
    private readonly linking: LinkingService,
    private readonly linkCodes: LinkCodeService,
    private readonly starts: StartService,
    private readonly codes: ExternalCodeService,
    private readonly sessions: SessionService,
    private readonly accounts: AccountService,
    private readonly mails: LinkMails,
    private readonly audit: AuditTrail,
    private readonly connections: FlowConnections,
    private readonly grants: ProviderGrants,
  ) {}

  list(userId: UserId, page: Page): Promise<ListedIdentity[]> {
    return this.identities.listOf(userId, page);
  }

  startLink(
    caller: PersonPrincipal,
    kind: string,
    request: Pick<StartRequest, 'returnUri'>,
  ): Promise<StartedFlow> {
    return this.starts.start(kind, request, caller);
  }

  /**
   * Links the identity that a flow of this caller has proven. A refusal does not use up the code.
   * @param codeVerifier of the tab that started the flow of a connection, whose person has signed
   *   in since to prove the account
   * @throws {AppError} validation-error on `code` unless this person started the flow in this
   *   session, by our own app, or has proven the account; conflict if the identity belongs to
   *   another account; unauthenticated if the session has ended or the account was erased
   */
  redeemLink(caller: PersonPrincipal, code: string, codeVerifier?: string): Promise<Identity> {
    return this.database.transaction(async () => {
      if (!(await this.sessions.lockForShare(caller))) throw new AppError('unauthenticated');
      // A satellite of the same session must not add sign-in methods.
      if (caller.clientId !== FIRST_PARTY_CLIENT) throw invalidLinkCode();
      const identity =
        codeVerifier === undefined
          ? await this.linkCodes.consume(code, caller)
          : await this.linkCodes.consumeAfterProof(code, caller, codeVerifier);
      const { connectionId, profile } = identity;
      if (
        connectionId !== undefined &&
        !(await this.connections.isAuthorityForShare(connectionId, profile.email))
      )
        throw invalidLinkCode();
      return this.linking.add(caller, identity);
    });
  }

  /** Removes the identities that a session has linked. */
  @OnLifecycle('session.traces-ended')
  async unlinkOfSession({ userId, sessionId }: LifecycleEvents['session.traces-ended']): Promise<void> {
    for (const id of await this.identities.listLinkedIn(userId, sessionId)) await this.unlink(userId, id);
  }

  /**
   * Removes an identity with what waits for it: its grant at the provider, sign-ins and link codes.
   */
  async unlink(userId: UserId, id: string): Promise<void> {
    const { id: locked, email, locale } = await this.accounts.requireForShare(userId);
    const removed = await this.identities.delete(userId, id);
    if (!removed) return;
    await this.grants.revokeOf(userId, [removed]);
    await this.codes.withdraw({ userId: locked });
    await this.linkCodes.withdraw({ userId: locked });
    await this.audit.recordForAccount(userId, 'identity-unlinked');
    if (email !== null) await this.mails.unlinked({ email, locale }, removed.kind);
  }
}
