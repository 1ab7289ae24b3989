import { Injectable } from '@nestjs/common';
import type { Client } from '../../client/index.js';
import type { TenantId } from '../../kernel/index.js';
import { GrantRevocation, type GrantView, TenantAdmission } from '../../session/index.js';
import { ClientSessionRepository } from '../subjects/client-session.repository.js';
import { sidOf } from '../subjects/subjects.js';
import { IdTokens } from '../token/id-tokens.js';
import { OAuthError } from '../token/oauth-error.js';
import { RequestedResource } from '../token/requested-resource.js';
import type { Parameters } from '../token/oauth-request.js';

const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const REFRESH_TOKEN = 'urn:ietf:params:oauth:token-type:refresh_token';

/** Finds the sign-ins that the subject tokens of clients stand for (RFC 8693 section 2.1). */
@Injectable()
export class SubjectTokens {
  constructor(
    private readonly revocation: GrantRevocation,
    private readonly idTokens: IdTokens,
    private readonly sessions: ClientSessionRepository,
    private readonly admission: TenantAdmission,
    private readonly resources: RequestedResource,
  ) {}

  /**
   * Finds the grant of a client by its ID token or refresh token, where a refresh would succeed.
   * @param jkt key that the client has proved; null without a proof
   * @returns null if it has ended, is bound to another key or not consented to any more, or the
   *   organization does not accept the sign-in
   * @throws {OAuthError} invalid_request for another type of token
   */
  async findAdmitted(
    client: Client,
    tenantId: TenantId,
    parameters: Parameters,
    jkt: string | null,
  ): Promise<GrantView | null> {
    const grant = await this.find(client, parameters, jkt);
    if (!grant || !(await this.resources.isConsented(client, grant))) return null;
    return (await this.admission.admits(grant, tenantId)) ? grant : null;
  }

  private async find(client: Client, parameters: Parameters, jkt: string | null): Promise<GrantView | null> {
    const { subject_token: token = '', subject_token_type: type } = parameters;
    if (type === REFRESH_TOKEN) return this.findOfRefreshToken(client, token, jkt);
    if (type !== ID_TOKEN)
      throw new OAuthError('invalid_request', 'subject_token must be an ID token or a refresh token.');
    const subject = await this.idTokens.verifySubject(token, client.clientId);
    if (!subject) return null;
    const sessions = await this.sessions.list(subject.userId, client.clientId);
    const sessionId = sessions.find((id) => sidOf(client, id) === subject.sid);
    return sessionId === undefined ? null : this.revocation.findGrantOfSession(sessionId, client.clientId);
  }

  private async findOfRefreshToken(
    { clientId }: Client,
    token: string,
    jkt: string | null,
  ): Promise<GrantView | null> {
    const grant = await this.revocation.findGrantOfRefreshToken(token, clientId);
    return grant && (grant.dpopJkt === null || grant.dpopJkt === jkt) ? grant : null;
  }
}
