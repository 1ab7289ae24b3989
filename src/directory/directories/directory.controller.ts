import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import {
  ApiOperation,
  IfMatch,
  type ItemPage,
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
import { DirectoriesTag } from '../directories-tag.js';
import { CreateDirectoryDto, DirectoryResponse, UpdateDirectoryDto } from './directory.dto.js';
import { DirectoryService } from './directory.service.js';

/** Operations on the directories of an organization. */
@DirectoriesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/directories')
export class DirectoryController {
  private readonly publicUrl: string;

  constructor(
    private readonly directories: DirectoryService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.publicUrl = settings.PUBLIC_URL;
  }

  @Get()
  @RequireScopes('iam:directory:read')
  @Paged(DirectoryResponse)
  @ApiOperation({ operationId: 'listDirectories', summary: 'List directories' })
  async list(@Param('id') id: string, @PageOf() page: Page): Promise<ItemPage<DirectoryResponse>> {
    return toPage(await this.directories.list(id as TenantId, page), page, (directory) =>
      DirectoryResponse.from(directory, this.publicUrl),
    );
  }

  @Post()
  @RequireScopes('iam:directory:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'createDirectory',
    summary: 'Create a directory',
    description: 'Create a token next, and enter it with `baseUrl` at the identity provider.',
  })
  @Creates(DirectoryResponse, '/api/v1/iam/tenants/:id/directories/{id}')
  async create(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: CreateDirectoryDto,
  ): Promise<DirectoryResponse> {
    const directory = await this.directories.create(id as TenantId, caller.userId, body);
    return DirectoryResponse.from(directory, this.publicUrl);
  }

  @Get(':directoryId')
  @RequireScopes('iam:directory:read')
  @AbilitySubject('directoryId')
  @ApiOperation({ operationId: 'getDirectory', summary: 'Get a directory' })
  @Versioned(DirectoryResponse)
  async read(@Param('id') id: string, @Param('directoryId') directoryId: string): Promise<DirectoryResponse> {
    return DirectoryResponse.from(await this.directories.get(id as TenantId, directoryId), this.publicUrl);
  }

  @Patch(':directoryId')
  @RequireScopes('iam:directory:update')
  @AbilitySubject('directoryId')
  @ApiOperation({
    operationId: 'updateDirectory',
    summary: 'Change, disable or enable a directory',
    description: 'Omitted fields do not change.',
  })
  @Versioned(DirectoryResponse)
  async update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @Body() body: UpdateDirectoryDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<DirectoryResponse> {
    await ifMatch.require(() => this.read(id, directoryId));
    const directory = await this.directories.update(id as TenantId, caller.userId, directoryId, body);
    return DirectoryResponse.from(directory, this.publicUrl);
  }

  @Delete(':directoryId')
  @RequireScopes('iam:directory:delete')
  @AbilitySubject('directoryId')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteDirectory',
    summary: 'Delete a directory',
    description: 'With its tokens, users, groups and rules. Members stay, with their roles.',
  })
  async delete(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('directoryId') directoryId: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.read(id, directoryId));
    await this.directories.delete(id as TenantId, caller.userId, directoryId);
  }
}
