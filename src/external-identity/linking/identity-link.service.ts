import { Injectable } from '@nestjs/common';
import { FIRST_PARTY_CLIENT, type PersonPrincipal } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { SessionLock } from '../../session/index.js';
import { FlowConnections } from '../flow/flow-connections.js';
import type { Identity } from './identity.repository.js';
import { invalidLinkCode, LinkCodeService } from './link-code.service.js';
import { IdentityLinks } from './identity-links.js';

/** Links external identities to the caller's account. */
@Injectable()
export class IdentityLinkService {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionLock,
    private readonly linkCodes: LinkCodeService,
    private readonly connections: FlowConnections,
    private readonly links: IdentityLinks,
  ) {}

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
      return this.links.add(caller, identity);
    });
  }
}
