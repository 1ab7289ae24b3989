import { Injectable } from '@nestjs/common';
import { TenantLock } from '../../iam/index.js';
import { hashesOfApiKey, KeyDerivation, parseApiKey } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { MailLink, type SentLink } from '../../platform/mail/index.js';
import { AppError } from '../../platform/errors/index.js';
import '../connection.messages.js';
import type { SetupIntent } from './setup-link.entity.js';
import { type SetupLink, SetupLinkRepository } from './setup-link.repository.js';

/** Authenticates requests by set-up links, and runs their commands. */
@Injectable()
export class SetupLinks {
  constructor(
    private readonly database: Database,
    private readonly links: SetupLinkRepository,
    private readonly tenantLock: TenantLock,
    private readonly keys: KeyDerivation,
  ) {}

  /**
   * Authenticates a request, and notes the use of the link.
   * @param headers all Authorization headers of the request; more than one is refused
   * @param intents of which the link must have one; empty for any link
   * @throws {AppError} unauthenticated for a link that is unknown, expired or revoked, and of an
   *   archived organization; forbidden for a link for something else
   */
  async authenticate(headers: readonly string[], intents: readonly SetupIntent[]): Promise<SetupLink> {
    const [authorization = ''] = headers;
    const [, plainKey] = /^Bearer +(\w+)$/i.exec(authorization) ?? [];
    const link = headers.length === 1 && plainKey !== undefined ? await this.find(plainKey) : null;
    if (!link) throw refused();
    if (intents.length > 0 && !intents.some((intent) => link.intents.includes(intent)))
      throw new AppError('forbidden', { reason: { id: 'setup-link.other-intent' } });
    await this.links.noteUse(link.tenantId, link.id);
    return link;
  }

  /** Finds an accepted link by its token; null for any other text. */
  async find(plainKey: string): Promise<SetupLink | null> {
    if (parseApiKey(plainKey)?.kind !== 'setup') return null;
    return this.links.findByHash(hashesOfApiKey(this.keys, 'api-key', plainKey));
  }

  @MailLink('setup-link')
  async isMailOfUse({ token }: SentLink): Promise<boolean> {
    return (await this.find(token)) !== null;
  }

  /**
   * Runs a command of a link in one transaction. Locks the organization first (ARCHITECTURE.md,
   * lock order), then the link, so that no command outlives its revocation.
   * @param work receives the link as it is now
   * @throws {AppError} unauthenticated if the link has ended since
   */
  run<T>({ tenantId, id }: SetupLink, work: (link: SetupLink) => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.tenantLock.lockForUpdate(tenantId);
      const link = await this.links.findForUpdate(tenantId, id);
      if (!link) throw refused();
      return work(link);
    });
  }

  /** Binds a link to the directory that it has created, and to no other. */
  bindDirectory({ tenantId, id }: SetupLink, directoryId: string): Promise<void> {
    return this.links.bind(tenantId, id, { directoryId });
  }
}

const refused = (): AppError =>
  new AppError('unauthenticated', { reason: { id: 'setup-link.invalid' }, cause: 'set-up link' });
