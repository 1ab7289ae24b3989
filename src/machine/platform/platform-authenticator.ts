import { Injectable } from '@nestjs/common';
import type { PlatformPrincipal } from '../../kernel/index.js';
import { KeyDerivation } from '../../platform/crypto/index.js';
import { KeyUse } from '../keys/key-use.js';
import { refused, requireProvenKey } from '../keys/live-key.js';
import { PlatformDirectory } from './platform-directory.js';

/** Authenticates programs that operate the platform. A key in use costs no statement. */
@Injectable()
export class PlatformAuthenticator {
  constructor(
    private readonly directory: PlatformDirectory,
    private readonly derivation: KeyDerivation,
    private readonly use: KeyUse,
  ) {}

  /**
   * Verifies a well-spelled key, its account and the network of the caller.
   * @param lookup public part of the key
   * @param ipAddress of the client, behind trusted proxies as they forward it
   * @throws {AppError} unauthenticated; the error of the database if it cannot be reached
   */
  async authenticate(plainKey: string, lookup: string, ipAddress: string): Promise<PlatformPrincipal> {
    const key = await this.directory.findKey(lookup);
    if (!key) throw refused('unknown or revoked');
    const { id, accountId, scopes } = key;
    requireProvenKey(this.derivation, key, plainKey, ipAddress);
    if (Date.now() >= key.expiresAt) throw refused('expired');
    if ((await this.directory.findRole(accountId, false)) === null) throw refused('account disabled');
    this.use.note({ tenantId: null, ownerId: accountId, id });
    return {
      kind: 'machine',
      owner: 'platform',
      userId: accountId,
      clientId: accountId,
      tenantId: null,
      credentialId: id,
      scopes,
    };
  }
}
