import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import { TenantLock } from '../../iam/index.js';
import {
  createApiKey,
  hashApiKey,
  hashesOfApiKey,
  KeyDerivation,
  parseApiKey,
} from '../../platform/crypto/index.js';
import { MailLink, type SentLink } from '../../platform/mail/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Bearer } from '../../platform/web/index.js';
import '../connection.messages.js';
import { ConnectionReach } from '../connections/connection-reach.js';
import { isInUse } from '../connections/connection.js';
import { ConnectionRepository, type ManagedConnection } from '../connections/connection.repository.js';
import { intentsOf, type SetupIntent } from './setup-link.entity.js';
import { type SetupLink, SetupLinkRepository } from './setup-link.repository.js';

/** A link of a request, with the intents for one of which it is used; none for any. */
export interface UsedSetupLink extends SetupLink {
  readonly usedFor: readonly SetupIntent[];
}

/**
 * Authenticates requests by set-up links, and runs their commands. A link gives what its creator
 * holds at its use, and nothing once the creator has left.
 */
@Injectable()
export class SetupLinks {
  constructor(
    private readonly links: SetupLinkRepository,
    private readonly tenantLock: TenantLock,
    private readonly keys: KeyDerivation,
    private readonly callers: CallerScopes,
    private readonly connections: ConnectionRepository,
    private readonly reach: ConnectionReach,
  ) {}

  /**
   * Authenticates a request, and notes the use of the link.
   * @param intents of which the link must have one; empty for any link
   * @throws {AppError} unauthenticated for a link that is unknown, expired or revoked, of an
   *   archived organization, or of a creator who holds nothing of it any more; forbidden for a link
   *   for something else
   */
  async authenticate(bearer: Bearer | null, intents: readonly SetupIntent[]): Promise<UsedSetupLink> {
    const found = bearer && !bearer.isBound ? await this.find(bearer.token) : null;
    const link = await this.requireUsable(found, intents, false);
    await this.links.noteUse(link.tenantId, link.id);
    return { ...link, usedFor: intents };
  }

  /** Creates the token of a link, of which only the hash is stored. */
  createToken(): { readonly plainKey: string; readonly tokenHash: Buffer } {
    const { plainKey } = createApiKey('setup');
    return { plainKey, tokenHash: hashApiKey(this.keys, 'api-key', plainKey) };
  }

  /** Finds an accepted link by its token; null for any other text. */
  async find(plainKey: string): Promise<SetupLink | null> {
    if (parseApiKey(plainKey)?.kind !== 'setup') return null;
    return this.links.findByHash(hashesOfApiKey(this.keys, 'api-key', plainKey));
  }

  @MailLink('setup-link')
  async isMailOfUse({ token }: SentLink): Promise<boolean> {
    return (await this.find(token))?.isCreatorActive === true;
  }

  /**
   * Runs a command of a link in one transaction. Locks the organization first (ARCHITECTURE.md,
   * lock order), then the link, so that no command outlives its revocation, or the rights of its
   * creator.
   * @param work receives the link as it is now
   * @throws {AppError} unauthenticated if the link has ended since; forbidden if its creator no
   *   longer holds what it is used for
   */
  run<T>({ tenantId, id, usedFor }: UsedSetupLink, work: (link: SetupLink) => Promise<T>): Promise<T> {
    return this.tenantLock.underLock(tenantId, async () => {
      return work(await this.requireUsable(await this.links.findForUpdate(tenantId, id), usedFor, true));
    });
  }

  /**
   * Runs a command on the connection of a link.
   * @param work receives the link and the connection as they are now
   * @throws {AppError} as {@link run}; not-found without a connection; conflict if people can sign
   *   in by it who hold more than the creator of the link
   */
  runOnConnection<T>(
    used: UsedSetupLink,
    work: (link: SetupLink, connection: ManagedConnection) => Promise<T>,
  ): Promise<T> {
    return this.run(used, async (link) => {
      const { tenantId, connectionId, createdBy } = link;
      const connection = connectionId === null ? null : await this.connections.find(tenantId, connectionId);
      if (!connection) throw new AppError('not-found');
      if (isInUse(connection) && (await this.reach.exceedsMember(createdBy, tenantId, connection.id)))
        throw new AppError('conflict', { reason: { id: 'setup-link.exceeds-creator' } });
      return work(link, connection);
    });
  }

  /** Binds a link to the directory that it has created, and to no other. */
  bindDirectory({ tenantId, id }: SetupLink, directoryId: string): Promise<void> {
    return this.links.bind(tenantId, id, { directoryId });
  }

  /** Leaves the intents of a link whose scopes its creator holds now, and requires one of some. */
  private async requireUsable(
    link: SetupLink | null,
    needed: readonly SetupIntent[],
    lock: boolean,
  ): Promise<SetupLink> {
    if (!link?.isCreatorActive) throw refused();
    const holds = await this.callers.findScopesOf(link.createdBy, link.tenantId, lock);
    const intents = intentsOf(link.intents, holds);
    if (intents.length === 0) throw refused();
    if (needed.length > 0 && !needed.some((intent) => intents.includes(intent)))
      throw new AppError('forbidden', { reason: { id: 'setup-link.other-intent' } });
    return { ...link, intents };
  }
}

const refused = (): AppError =>
  new AppError('unauthenticated', { reason: { id: 'setup-link.invalid' }, cause: 'set-up link' });
