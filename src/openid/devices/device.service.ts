import { Injectable } from '@nestjs/common';
import type { PersonPrincipal, TenantId } from '../../kernel/index.js';
import { createOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../client/index.js';
import type { ApiTarget } from '../apis/api-scopes.js';
import { AskedApis, type Asking } from '../apis/asked-apis.js';
import { ConsentRepository } from '../consents/consent.repository.js';
import { TenantChoice } from '../decisions/tenant-choice.js';
import { scopesOf } from '../openid-scopes.js';
import { requireGrantType } from '../token/client-authenticator.js';
import { OAuthError } from '../token/oauth-error.js';
import { DeviceAuthorizationRepository } from './device-authorization.repository.js';
import { DeviceCodes } from './device-codes.js';
import { createUserCode, readUserCode } from './user-code.js';
import '../openid.messages.js';

/** Seconds that the person has to enter the code. */
export const DEVICE_SECONDS = 600;
/** Seconds between two requests of a device (RFC 8628 section 3.2). */
export const POLL_SECONDS = 5;
const MAX_CODES_TRIED = 3;

/** A device that waits, with its client. */
export interface PresentedDevice extends Asking {
  readonly scopes: string[];
}

/** Lets devices without a browser or keyboard sign a person in (RFC 8628). */
@Injectable()
export class DeviceService {
  constructor(
    private readonly database: Database,
    private readonly devices: DeviceAuthorizationRepository,
    private readonly codes: DeviceCodes,
    private readonly asked: AskedApis,
    private readonly tenants: TenantChoice,
    private readonly consents: ConsentRepository,
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
      const [userCodeHash] = this.codes.hashesOf(userCode);
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
    const hashes = this.codes.hashesOf(readUserCode(entered));
    const device = await this.codes.guess(caller.sessionId, () => this.devices.findWaiting(hashes));
    const asking = device && (await this.asked.findAsking(device));
    if (!asking) throw wrongCode();
    return { ...asking, scopes: device.scopes };
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
      if (!(await this.devices.approve(this.codes.hashesOf(readUserCode(entered)), approval)))
        throw wrongCode();
      if (!client.firstParty) await this.consents.add(caller.userId, client.clientId, scopes);
    });
  }

  /** Refuses the device. @throws {AppError} as {@link present} */
  async deny(caller: PersonPrincipal, entered: string): Promise<void> {
    await this.present(caller, entered);
    if (!(await this.devices.deny(this.codes.hashesOf(readUserCode(entered))))) throw wrongCode();
  }
}

const wrongCode = (): AppError => AppError.violation('userCode', { id: 'device.wrong-code' });
