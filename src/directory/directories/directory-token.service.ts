import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { LifecycleEvents, TenantId, UserId } from '../../kernel/index.js';
import {
  createApiKey,
  hashApiKey,
  isApiKeyOf,
  KeyDerivation,
  parseApiKey,
} from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { eventOf } from '../directory.events.js';
import { DirectoryRepository } from './directory.repository.js';
import { type DirectoryToken, DirectoryTokenRepository } from './directory-token.repository.js';

/** Tokens that are valid at once: the old and the new one, while they are exchanged. */
const MAX_TOKENS = 2;
const TOKEN_ID = /^[0-9A-Za-z]{1,40}$/;

/** Manages the tokens of directories. The caller has checked the permission before. */
@Injectable()
export class DirectoryTokenService {
  constructor(
    private readonly database: Database,
    private readonly directories: DirectoryRepository,
    private readonly tokens: DirectoryTokenRepository,
    private readonly keys: KeyDerivation,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, directoryId: string): Promise<DirectoryToken[]> {
    return this.tokens.list(tenantId, directoryId);
  }

  /**
   * Creates a token. Only its hash is stored.
   * @param createdBy who answers for it, and must be able to give the roles of the rules; by
   *   default the actor
   * @returns the token and its plain text, which cannot be read again
   * @throws {AppError} conflict beyond {@link MAX_TOKENS}; not-found without the directory;
   *   validation-error for a time that has passed
   */
  async create(
    tenantId: TenantId,
    actorId: UserId,
    directoryId: string,
    input: { readonly name: string; readonly expiresAt?: string | null | undefined },
    createdBy = actorId,
  ): Promise<DirectoryToken & { readonly plainKey: string }> {
    const { name } = input;
    const expiresAt = typeof input.expiresAt === 'string' ? new Date(input.expiresAt) : null;
    if (expiresAt && expiresAt.getTime() <= Date.now())
      throw AppError.violation('expiresAt', 'must be in the future');
    return this.database.transaction(async () => {
      if (!(await this.directories.lockForUpdate(tenantId, directoryId))) throw new AppError('not-found');
      await this.tokens.deleteExpired(tenantId, directoryId);
      if ((await this.tokens.list(tenantId, directoryId)).length >= MAX_TOKENS)
        throw new AppError('conflict', { detail: `There can be ${MAX_TOKENS} tokens. Revoke one first.` });
      const { id, plainKey } = createApiKey('scim');
      const secretHash = hashApiKey(this.keys, 'api-key', plainKey);
      const values = { id, secretHash, name, expiresAt, createdBy };
      const token = await this.tokens.insert(tenantId, directoryId, values);
      await this.audit.record(eventOf({ tenantId, directoryId }, 'token-created', actorId));
      return { ...token, plainKey };
    });
  }

  /** @throws {AppError} not-found */
  async revoke(tenantId: TenantId, actorId: UserId, directoryId: string, id: string): Promise<void> {
    if (!TOKEN_ID.test(id) || !(await this.tokens.delete(tenantId, directoryId, id)))
      throw new AppError('not-found');
    await this.audit.record(eventOf({ tenantId, directoryId }, 'token-revoked', actorId));
  }

  /** Ends a token that was found in public, also of a disabled directory. */
  @OnLifecycle('key.leaked')
  async endLeaked({ plainKey, ended }: LifecycleEvents['key.leaked']): Promise<void> {
    const parsed = parseApiKey(plainKey);
    const token = parsed?.kind === 'scim' ? await this.tokens.findLeaked(parsed.id) : null;
    if (!parsed || !token || !isApiKeyOf(this.keys, 'api-key', plainKey, token.secretHash)) return;
    const { tenantId, directoryId, name } = token;
    if (!(await this.tokens.delete(tenantId, directoryId, parsed.id))) return;
    await this.audit.record(eventOf(token, 'token-revoked'));
    await ended({ tenantId, name });
  }
}
