import { Injectable } from '@nestjs/common';
import { TenantLock } from '../../iam/index.js';
import { isApiKeyOf, KeyDerivation, parseApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { DirectoryReach } from './directory-reach.js';
import { DirectoryTokenNotices } from './directory-token-notices.js';
import {
  DirectoryTokenRepository,
  type FoundToken,
  type VerifiedToken,
} from './directory-token.repository.js';
import '../directory.messages.js';

/**
 * Verifies the tokens of directories. Lets a token work only while its creator could create it, so
 * that no person keeps by a token what they have lost as a member. A token of an unknown creator
 * works.
 */
@Injectable()
export class DirectoryTokenCheck {
  constructor(
    private readonly tenantLock: TenantLock,
    private readonly reach: DirectoryReach,
    private readonly tokens: DirectoryTokenRepository,
    private readonly keys: KeyDerivation,
    private readonly notices: DirectoryTokenNotices,
  ) {}

  /**
   * Verifies a presented token, and notes its use.
   * @returns the directory; null for a token that is misspelled, unknown, expired or revoked
   */
  async verify(plainKey: string): Promise<VerifiedToken | null> {
    const parsed = parseApiKey(plainKey);
    if (parsed?.kind !== 'scim') return null;
    const found = await this.tokens.find(parsed.id);
    if (!found || !isApiKeyOf(this.keys, 'api-key', plainKey, found.secretHash)) return null;
    return this.use(found);
  }

  /**
   * Finds the directory of a token that has been verified, and notes its use.
   * @returns null if the token has expired or been revoked since
   */
  async findVerified(tokenId: string): Promise<VerifiedToken | null> {
    const found = await this.tokens.find(tokenId);
    return found && this.use(found);
  }

  /** @throws {AppError} unauthenticated for a token whose creator could not create it now */
  async requireWorking(token: VerifiedToken): Promise<void> {
    if (!(await this.works(token)))
      throw new AppError('unauthenticated', { reason: { id: 'directory.token-stopped' } });
  }

  private async use(found: FoundToken): Promise<VerifiedToken> {
    const { secretHash: _, isUseDue, ...token } = found;
    if (isUseDue) await this.tokens.noteUse(token);
    return token;
  }

  /** Judges a call by the caches, and reads the database once: when the token stops. */
  private async works(token: VerifiedToken): Promise<boolean> {
    if (!(await this.couldCreate(token, false))) return !token.isStopped && this.couldCreateOrStop(token);
    if (token.isStopped) await this.tokens.setStopped(token, false);
    return true;
  }

  private couldCreateOrStop(token: VerifiedToken): Promise<boolean> {
    return this.tenantLock.underLock(token.tenantId, async () => {
      if (await this.couldCreate(token, true)) return true;
      if (!(await this.tokens.setStopped(token, true))) return false;
      await this.notices.recordStopped(token);
      return false;
    });
  }

  private async couldCreate(
    { tenantId, createdBy, isCreatorActive, roleIds }: VerifiedToken,
    lock: boolean,
  ): Promise<boolean> {
    if (createdBy === null) return true;
    return isCreatorActive && this.reach.mayCreateToken(tenantId, createdBy, roleIds, lock);
  }
}
