import { Injectable } from '@nestjs/common';
import { type SetupLink, SetupLinks, type UsedSetupLink } from '../../connection/index.js';
import { RoleService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { DirectoryEntity } from './directory.entity.js';
import { DirectoryRuleRepository } from './directory-rule.repository.js';
import { DirectoryService } from './directory.service.js';
import type { DirectoryToken } from './directory-token.repository.js';
import { DirectoryTokenService } from './directory-token.service.js';

/**
 * What the holder of a set-up link can do to its one directory. The audit trail names the link as
 * the actor. The guard has checked the intents of the link.
 */
@Injectable()
export class SetupDirectoryService {
  constructor(
    private readonly links: SetupLinks,
    private readonly directories: DirectoryService,
    private readonly tokens: DirectoryTokenService,
    private readonly rules: DirectoryRuleRepository,
    private readonly roles: RoleService,
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
  create(used: UsedSetupLink, name: string): Promise<DirectoryEntity> {
    return this.links.run(used, async (link) => {
      if (link.directoryId !== null)
        throw new AppError('conflict', { reason: { id: 'setup-link.one-directory' } });
      const { tenantId, connectionId } = link;
      const directory = await this.directories.create(tenantId, actorOf(link), { name, connectionId });
      await this.links.bindDirectory(link, directory.id);
      return directory;
    });
  }

  /**
   * Creates a token. Who holds one says who is in a group: the creator of the link must still be
   * able to give the roles of the rules.
   * @throws {AppError} not-found without a directory; conflict if the creator could not give a
   *   role; as {@link DirectoryTokenService.create}
   */
  createToken(used: UsedSetupLink, name: string): Promise<DirectoryToken & { readonly plainKey: string }> {
    return this.links.run(used, async (link) => {
      const { id } = await this.get(link);
      const { tenantId, createdBy } = link;
      const roleIds = await this.rules.findRoleIds(tenantId, id);
      if (roleIds.length > 0 && !(await this.roles.canGive(tenantId, createdBy, roleIds)))
        throw new AppError('conflict', { reason: { id: 'directory.exceeds-creator' } });
      return this.tokens.create(tenantId, actorOf(link), id, { name }, createdBy);
    });
  }
}

/** The audit trail holds surrogate ids: that of the link stands for its holder. */
const actorOf = ({ id }: SetupLink): UserId => id as UserId;
