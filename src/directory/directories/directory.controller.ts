import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  IfMatch,
  Operation,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Caller } from '../../platform/web/index.js';
import { DirectoriesTag } from '../directory.declarations.js';
import { CreateDirectoryDto, DirectoryResponse, UpdateDirectoryDto } from './directory.dto.js';
import type { DirectoryEntity } from './directory.entity.js';
import { DirectoryService } from './directory.service.js';

/** Operations on the directories of an organization. */
@DirectoriesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/directories')
export class DirectoryController {
  constructor(
    private readonly directories: DirectoryService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @RequireScopes('iam:directory:read')
  @Paged(DirectoryResponse)
  @Operation('List directories')
  async listDirectories(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.directories.list(id, page), page, (directory) => this.show(directory));
  }

  @Post()
  @RequireScopes('iam:directory:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Create a directory',
    'Create a token next, and enter it with `baseUrl` at the identity provider.',
  )
  @Creates(DirectoryResponse, '/api/v1/iam/tenants/:id/directories/{id}')
  async createDirectory(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: CreateDirectoryDto,
  ) {
    return this.show(await this.directories.create(id, caller.userId, body));
  }

  @Get(':directoryId')
  @RequireScopes('iam:directory:read')
  @AbilitySubject('directoryId')
  @Operation('Get a directory')
  @Versioned(DirectoryResponse)
  async getDirectory(@Param() { id, directoryId }: TenantPath<'directoryId'>) {
    return this.show(await this.directories.get(id, directoryId));
  }

  @Patch(':directoryId')
  @RequireScopes('iam:directory:update')
  @AbilitySubject('directoryId')
  @Operation('Change, disable or enable a directory', 'Omitted fields do not change.')
  @Versioned(DirectoryResponse)
  async updateDirectory(
    @Caller() caller: Principal,
    @Param() { id, directoryId }: TenantPath<'directoryId'>,
    @Body() body: UpdateDirectoryDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getDirectory({ id, directoryId }));
    return this.show(await this.directories.update(id, caller.userId, directoryId, body));
  }

  @Delete(':directoryId')
  @RequireScopes('iam:directory:delete')
  @AbilitySubject('directoryId')
  @HttpCode(204)
  @Operation(
    'Delete a directory',
    'With its tokens, users, groups and rules. Members stay, with their roles.',
  )
  async deleteDirectory(
    @Caller() caller: Principal,
    @Param() { id, directoryId }: TenantPath<'directoryId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getDirectory({ id, directoryId }));
    await this.directories.delete(id, caller.userId, directoryId);
  }

  private show(directory: DirectoryEntity): DirectoryResponse {
    return DirectoryResponse.from(directory, this.settings.PUBLIC_URL);
  }
}
