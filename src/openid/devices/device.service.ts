import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId, type PersonPrincipal, type TenantId } from '../../kernel/index.js';
import {
  createOneTimeToken,
  hashOneTimeToken,
  KeyDerivation,
  keyedHashes,
} from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type Api, type Client, ClientService } from '../../client/index.js';
import { GrantService, type GrantView } from '../../session/index.js';
import type { ApiTarget } from '../apis/api-scopes.js';
import { AskedApis } from '../apis/asked-apis.js';
import { ConsentRepository } from '../consents/consent.repository.js';
import { TenantChoice } from '../decisions/tenant-choice.js';
import { scopesOf } from '../openid-scopes.js';
import { requireGrantType } from '../token/client-authenticator.js';
import { OAuthError } from '../token/oauth-error.js';
import { DeviceAuthorizationRepository, type WaitingDevice } from './device-authorization.repository.js';
import { DeviceGuesses } from './device-guesses.js';
import { createUserCode, readUserCode } from './user-code.js';
import '../openid.messages.js';

/** Seconds that the person has to enter the code. */
export const DEVICE_SECONDS = 600;
/** Seconds between two requests of a device (RFC 8628 section 3.2). */
export const POLL_SECONDS = 5;
const MAX_CODES_TRIED = 3;

/** A device that waits, with its client. */
export interface PresentedDevice {
  readonly client: Client;
  readonly scopes: string[];
  /** That it asks for; null for this service. */
  readonly api: Api | null;
}

/** Lets devices without a browser or keyboard sign a person in (RFC 8628). */
@Injectable()
export class DeviceService {
  constructor(
    private readonly database: Database,
    private readonly devices: DeviceAuthorizationRepository,
    private readonly guesses: DeviceGuesses,
    private readonly clients: ClientService,
    private readonly consents: ConsentRepository,
    private readonly tenants: TenantChoice,
    private readonly grants: GrantService,
    private readonly audit: AuditTrail,
    private readonly keys: KeyDerivation,
    private readonly asked: AskedApis,
  ) {}

  /**
   * Starts the sign-in of a device.
   * @param target API that it asks for; null for this service
   * @returns the code of the device, and the one that it shows
   * @throws {OAuthError} unauthorized_client; invalid_scope
   */
  async start(
    client: Client,
    scope: string | undefined,
    target: ApiTarget | null,
  ): Promise<{ deviceCode: string; userCode: string }> {
    requireGrantType(client, 'urn:ietf:params:oauth:grant-type:device_code');
    const scopes = scopesOf(client, scope, target);
    if (!scopes.includes('openid') && !target)
      throw new OAuthError('invalid_scope', 'scope must contain openid.');
    const { plainToken: deviceCode, tokenHash: deviceHash } = createOneTimeToken();
    const seconds = { lifetime: DEVICE_SECONDS, interval: POLL_SECONDS };
    for (let tried = 0; tried < MAX_CODES_TRIED; tried += 1) {
      const userCode = createUserCode();
      const [userCodeHash] = this.hashesOf(userCode);
      const waiting = { clientId: client.clientId, scopes };
      if (await this.devices.insert({ deviceHash, userCodeHash }, waiting, seconds))
        return { deviceCode, userCode };
    }
    throw new AppError('unavailable');
  }

  /**
   * Finds the device of a code that a person has entered.
   * @throws {AppError} validation-error for a wrong code; too-many-requests after five of them
   */
  async present(caller: PersonPrincipal, entered: string): Promise<PresentedDevice> {
    const found = await this.find(caller, entered);
    if (!found) throw wrongCode();
    return found;
  }

  /**
   * Lets the device join the caller's session, and consents to its scopes.
   * @param tenantId organization of the grant; by default the selected one
   * @throws {AppError} as {@link present}; not-a-member; insufficient-user-authentication
   */
  async approve(caller: PersonPrincipal, entered: string, tenantId: TenantId | undefined): Promise<void> {
    const { client, scopes, api } = await this.present(caller, entered);
    const selected = await this.tenants.select(caller, { client, scopes, api }, tenantId);
    await this.database.transaction(async () => {
      const approval = { sessionId: caller.sessionId, tenantId: selected };
      if (!(await this.devices.approve(this.hashesOf(readUserCode(entered)), approval))) throw wrongCode();
      if (!client.firstParty) await this.consents.add(caller.userId, client.clientId, scopes);
    });
  }

  /** Refuses the device. @throws {AppError} as {@link present} */
  async deny(caller: PersonPrincipal, entered: string): Promise<void> {
    await this.present(caller, entered);
    if (!(await this.devices.deny(this.hashesOf(readUserCode(entered))))) throw wrongCode();
  }

  /**
   * Creates the grant of a device that a person has approved, in their session.
   * @param jkt key that the device has proved; null without a proof
   * @throws {OAuthError} authorization_pending, slow_down, access_denied, expired_token;
   *   invalid_grant alike for an unknown or used code, another client's, and after the session
   */
  async redeem(client: Client, deviceCode: string, jkt: string | null): Promise<GrantView> {
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

  private async find(caller: PersonPrincipal, entered: string): Promise<PresentedDevice | null> {
    const hashes = this.hashesOf(readUserCode(entered));
    const find = (): Promise<WaitingDevice | null> => this.devices.findWaiting(hashes);
    const device = await this.guesses.guess(caller.sessionId, find);
    const client = device && (await this.clients.findEnabled(device.clientId));
    if (!client) return null;
    const api = await this.asked.find(device.scopes);
    return api === 'gone' ? null : { client, scopes: device.scopes, api };
  }

  private hashesOf(userCode: string): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'device-code', userCode);
  }
}

const wrongCode = (): AppError => AppError.violation('userCode', { id: 'device.wrong-code' });

const invalidGrant = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is unknown or used, or its session has ended.');
