import { Injectable } from '@nestjs/common';
import { type SetupLink, SetupLinks } from '../../connection/index.js';
import type { UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { DirectoryEntity } from './directory.entity.js';
import { DirectoryService } from './directory.service.js';
import type { DirectoryToken } from './directory-tokens.js';

/**
 * What the holder of a set-up link can do to its one directory. The audit trail names the link as
 * the actor. The guard has checked the intents of the link.
 */
@Injectable()
export class SetupDirectoryService {
  constructor(
    private readonly links: SetupLinks,
    private readonly directories: DirectoryService,
  ) {}

  /** @throws {AppError} not-found if the link has created none */
  async get({ tenantId, directoryId }: SetupLink): Promise<DirectoryEntity> {
    if (directoryId === null) throw new AppError('not-found');
    return this.directories.get(tenantId, directoryId);
  }

  /**
   * Creates the directory of a link. Its people sign in by the connection of the link, if it has
   * one.
   * @throws {AppError} conflict if the link has one; as {@link DirectoryService.create}
   */
  create(used: SetupLink, name: string): Promise<DirectoryEntity> {
    return this.links.run(used, async (link) => {
      if (link.directoryId !== null)
        throw new AppError('conflict', { reason: { id: 'setup-link.one-directory' } });
      const { tenantId, connectionId } = link;
      const directory = await this.directories.create(tenantId, actorOf(link), { name, connectionId });
      await this.links.bindDirectory(link, directory.id);
      return directory;
    });
  }

  /** @throws {AppError} not-found without a directory; as {@link DirectoryService.createToken} */
  createToken(used: SetupLink, name: string): Promise<DirectoryToken & { readonly plainKey: string }> {
    return this.links.run(used, async (link) => {
      const { id } = await this.get(link);
      return this.directories.createToken(link.tenantId, actorOf(link), id, { name });
    });
  }
}

/** The audit trail holds surrogate ids: that of the link stands for its holder. */
const actorOf = ({ id }: SetupLink): UserId => id as UserId;
