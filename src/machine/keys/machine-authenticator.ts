import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import type { MachinePrincipal } from '../../kernel/index.js';
import { isApiKeyOf, KeyDerivation, parseApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { MachineDirectory } from '../machine-directory.js';
import { CredentialDirectory, type LiveKey } from './credential-directory.js';
import { KeyUse } from './key-use.js';

const KIND_OF_OWNER = { 'service-account': 'sa', person: 'me' } as const;

/** Authenticates programs by their keys. A key in use costs no statement. */
@Injectable()
export class MachineAuthenticator {
  constructor(
    private readonly credentials: CredentialDirectory,
    private readonly machines: MachineDirectory,
    private readonly members: MembershipDirectory,
    private readonly derivation: KeyDerivation,
    private readonly use: KeyUse,
  ) {}

  /**
   * Verifies an API key, its owner and the network of the caller. A misspelled key is refused by
   * its checksum, without a statement.
   * @param ipAddress of the client, behind trusted proxies as they forward it
   * @throws {AppError} unauthenticated; the error of the database if it cannot be reached
   */
  async authenticate(plainKey: string, ipAddress: string): Promise<MachinePrincipal> {
    const parsed = parseApiKey(plainKey);
    if (!parsed) throw refused('misspelled');
    const key = await this.credentials.find(parsed.id);
    if (!key || KIND_OF_OWNER[key.ownerKind] !== parsed.kind) throw refused('unknown or revoked');
    if (!isApiKeyOf(this.derivation, 'api-key', plainKey, key.secretHash)) throw refused('wrong secret');
    if (Date.now() >= key.expiresAt) throw refused('expired');
    if (key.allowsAddress?.(ipAddress) === false) throw refused('foreign network');
    await this.requireOwner(key);
    this.use.note(key);
    return toPrincipal(key);
  }

  /** Requires that the owner still acts in the organization, and that it is not archived. */
  private async requireOwner({ tenantId, ownerKind, ownerId }: LiveKey): Promise<void> {
    const [state, isActive] = await Promise.all([
      this.members.findState(tenantId, false),
      ownerKind === 'person'
        ? this.members.isMember(ownerId, tenantId)
        : this.machines.findActive(ownerId, tenantId),
    ]);
    if (!isActive) throw refused('owner disabled or no member');
    if (!state || state.archived || state.deletionStarted) throw refused('organization archived');
  }
}

function toPrincipal({ id, tenantId, ownerKind, ownerId, scopes }: LiveKey): MachinePrincipal {
  return {
    kind: 'machine',
    owner: ownerKind,
    userId: ownerId,
    clientId: ownerKind === 'person' ? id : ownerId,
    tenantId,
    credentialId: id,
    scopes,
  };
}

const refused = (cause: string): AppError =>
  new AppError('unauthenticated', {
    detail: 'The key is not valid, has ended, or is not accepted from this network.',
    cause,
  });
