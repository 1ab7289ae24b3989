import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { DirectoriesTag } from '../directory.declarations.js';
import {
  CreatedDirectoryTokenResponse,
  CreateDirectoryTokenDto,
  DirectoryTokenResponse,
  DirectoryTokensResponse,
} from './directory.dto.js';
import { DirectoryTokenService } from './directory-token.service.js';

/** Operations on the tokens by which a directory calls SCIM. */
@DirectoriesTag()
@TenantParam('id')
@AbilitySubject('directoryId')
@Controller('api/v1/iam/tenants/:id/directories/:directoryId/tokens')
export class DirectoryTokenController {
  constructor(private readonly tokens: DirectoryTokenService) {}

  @Get()
  @RequireScopes('iam:directory:read')
  @Operation('List tokens of a directory')
  @Answers(DirectoryTokensResponse)
  async listDirectoryTokens(@Param() { id, directoryId }: TenantPath<'directoryId'>) {
    const items = await this.tokens.list(id, directoryId);
    return { items: items.map((token) => DirectoryTokenResponse.from(token)) };
  }

  @Post()
  @RequireScopes('iam:directory-token:create')
  @Problems('conflict')
  @Operation(
    'Create a token of a directory',
    'The response contains the token, which cannot be read again. Two are valid at once: create the new one, enter it at the identity provider, then revoke the old one.',
  )
  @Creates(CreatedDirectoryTokenResponse, '/api/v1/iam/tenants/:id/directories/:directoryId/tokens')
  async createDirectoryToken(
    @Caller() caller: Principal,
    @Param() { id, directoryId }: TenantPath<'directoryId'>,
    @Body() body: CreateDirectoryTokenDto,
  ) {
    const { plainKey, ...token } = await this.tokens.create(id, caller.userId, directoryId, body);
    return { ...DirectoryTokenResponse.from(token), token: plainKey };
  }

  @Delete(':tokenId')
  @RequireScopes('iam:directory-token:revoke')
  @HttpCode(204)
  @Operation('Revoke a token of a directory', 'The next request with it is refused.')
  async revokeDirectoryToken(
    @Caller() caller: Principal,
    @Param() { id, directoryId, tokenId }: TenantPath<'directoryId' | 'tokenId'>,
  ): Promise<void> {
    await this.tokens.revoke(id, caller.userId, directoryId, tokenId);
  }
}
