import { Injectable } from '@nestjs/common';
import type { Client } from '../../client/index.js';
import { AuditTrail } from '../../iam/index.js';
import { newId } from '../../kernel/index.js';
import { hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { GrantService, type GrantView } from '../../session/index.js';
import { type ClientTokenResponse, GrantTokens } from '../token/grant-tokens.js';
import { OAuthError } from '../token/oauth-error.js';
import { DeviceAuthorizationRepository } from './device-authorization.repository.js';
import type { Parameters } from '../token/oauth-request.js';

/** Issues tokens to a device that a person has approved (RFC 8628 section 3.4). */
@Injectable()
export class DeviceGrant {
  constructor(
    private readonly database: Database,
    private readonly devices: DeviceAuthorizationRepository,
    private readonly grants: GrantService,
    private readonly audit: AuditTrail,
    private readonly grantTokens: GrantTokens,
  ) {}

  /** @throws {OAuthError} as {@link redeem}; invalid_request without a code */
  async issue(client: Client, parameters: Parameters, jkt: string | null): Promise<ClientTokenResponse> {
    const { device_code: deviceCode } = parameters;
    if (deviceCode === undefined) throw new OAuthError('invalid_request', 'device_code is missing.');
    const grant = await this.redeem(client, deviceCode, jkt);
    return this.grantTokens.respondFirst(client, grant, null, parameters);
  }

  /**
   * Creates the grant of a device that a person has approved, in their session.
   * @param jkt key that the device has proved; null without a proof
   * @throws {OAuthError} authorization_pending, slow_down, access_denied, expired_token;
   *   invalid_grant alike for an unknown or used code, another client's, and after the session
   */
  private async redeem(client: Client, deviceCode: string, jkt: string | null): Promise<GrantView> {
    const deviceHash = hashOneTimeToken(deviceCode);
    const polled = await this.devices.poll(deviceHash, client.clientId);
    if (!polled) throw invalidGrant();
    if (polled.isExpired) throw new OAuthError('expired_token', 'The code has expired.');
    if (polled.status === 'denied')
      throw new OAuthError('access_denied', 'The person has refused the device.');
    const { sessionId } = polled;
    if (sessionId === null)
      throw polled.isEarly
        ? new OAuthError('slow_down', 'Wait five seconds longer between requests.')
        : new OAuthError('authorization_pending', 'The person has not decided yet.');
    const grant = await this.database.transaction(async () => {
      const locked = await this.grants.lockSessionForShare(sessionId);
      const approved = await this.devices.takeApproved(deviceHash, client.clientId);
      if (!locked || !approved) return null;
      const { userId, tenantId, scopes } = approved;
      const event = { action: 'session.handed-over', subject: `iam/satellites/${client.id}` };
      await this.audit.record({ actorId: userId, ...event });
      const { clientId } = client;
      const wanted = {
        id: newId(),
        sessionId: locked,
        userId,
        clientId,
        tenantId,
        grantedScopes: scopes,
        dpopJkt: jkt,
      };
      return (await this.grants.createGrants([wanted])).get(wanted.id);
    });
    if (!grant) throw invalidGrant();
    return grant;
  }
}

const invalidGrant = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is unknown or used, or its session has ended.');
