import { Injectable } from '@nestjs/common';
import type { MachinePrincipal, PlatformPrincipal } from '../../kernel/index.js';
import { parseApiKey } from '../../platform/crypto/index.js';
import { MachineDirectory } from '../machine-directory.js';
import { ClientAuthentication } from '../clients/client-authentication.js';
import { LiveTrustRules } from '../trust/live-trust-rules.js';
import { CredentialDirectory, type LiveKey } from './credential-directory.js';
import { KIND_OF_OWNER } from './credential.entity.js';
import { KeyUse } from './key-use.js';
import { PlatformDirectory } from '../platform/platform-directory.js';
import { refused } from './live-key.js';

/** Characters of the public part of a key; other credentials have ids of 26. */
const LOOKUP_LENGTH = 10;

/** Authenticates programs by their keys. A key in use costs no statement. */
@Injectable()
export class MachineAuthenticator {
  constructor(
    private readonly credentials: CredentialDirectory,
    private readonly machines: MachineDirectory,
    private readonly use: KeyUse,
    private readonly clients: ClientAuthentication,
    private readonly trustRules: LiveTrustRules,
    private readonly platform: PlatformDirectory,
  ) {}

  /**
   * Verifies an API key, its owner and the network of the caller. A misspelled key is refused by
   * its checksum, without a statement.
   * @param ipAddress of the client, behind trusted proxies as they forward it
   * @throws {AppError} unauthenticated; the error of the database if it cannot be reached
   */
  async authenticate(plainKey: string, ipAddress: string): Promise<MachinePrincipal | PlatformPrincipal> {
    const parsed = parseApiKey(plainKey);
    if (!parsed) throw refused('misspelled');
    if (parsed.kind !== 'sa' && parsed.kind !== 'me') throw refused('not a key of a machine');
    const key = await this.credentials.find(parsed.id);
    if (!key && parsed.kind === 'sa') return this.platform.authenticate(plainKey, parsed.id, ipAddress);
    if (!key || KIND_OF_OWNER[key.ownerKind] !== parsed.kind) throw refused('unknown or revoked');
    this.credentials.requireProven(key, plainKey, ipAddress);
    await this.requireKey(key);
    this.use.note(key);
    return toPrincipal(key);
  }

  /**
   * Requires that the credential by which a token was issued is still accepted. The networks of a
   * key apply to its tokens too.
   * @param ipAddress of the client; null if it is not known
   * @throws {AppError} unauthenticated
   */
  async requireLive(
    principal: MachinePrincipal | PlatformPrincipal,
    ipAddress: string | null,
  ): Promise<void> {
    if (principal.owner === 'platform') throw refused('no token stands for it');
    const { credentialId } = principal;
    if (credentialId.length === LOOKUP_LENGTH) {
      const key = await this.credentials.find(credentialId);
      if (ipAddress !== null && key?.allowsAddress?.(ipAddress) === false) throw refused('foreign network');
      return this.requireKey(key);
    }
    if (await this.clients.isLive(principal)) return;
    if (!(await this.trustRules.isAccepted(principal))) throw refused('credential ended');
  }

  /**
   * Verifies a key of a service account that is exchanged for a token.
   * @returns the account; its credential is the public part of the key
   */
  async authenticateForToken(plainKey: string, ipAddress: string): Promise<MachinePrincipal> {
    const principal = await this.authenticate(plainKey, ipAddress);
    if (principal.owner !== 'service-account') throw refused('not a key of an organization');
    return { ...principal, credentialId: parseApiKey(plainKey)?.id ?? '' };
  }

  private async requireKey(key: LiveKey | null): Promise<void> {
    if (!key || Date.now() >= key.expiresAt) throw refused('expired or revoked');
    await this.machines.requireOwner(key);
  }
}

function toPrincipal({ id, tenantId, ownerKind, ownerId, acr, voucher, scopes }: LiveKey): MachinePrincipal {
  return {
    kind: 'machine',
    owner: ownerKind,
    userId: ownerId,
    clientId: ownerKind === 'person' ? id : ownerId,
    tenantId,
    credentialId: id,
    ...(acr !== null && { acr }),
    ...(voucher !== null && { voucher }),
    scopes,
  };
}
