import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Operation, type Page, Paged, PageOf, Problems, toPage } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { MachinesTag } from '../machine.declarations.js';
import { ApiKeyService } from './api-key.service.js';
import { ApiKeyResponse, CreateApiKeyDto, CreatedApiKeyResponse } from './key.dto.js';

/** Keys of a service account. */
@MachinesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/service-accounts/:accountId/keys')
export class ApiKeyController {
  constructor(private readonly keys: ApiKeyService) {}

  @Get()
  @RequireScopes('iam:api-key:read')
  @AbilitySubject('accountId')
  @Paged(ApiKeyResponse)
  @Operation('List keys of a service account', 'Oldest first. Expired ones are listed for 30 days.')
  async listApiKeys(@Param() { id, accountId }: TenantPath<'accountId'>, @PageOf() page: Page) {
    return toPage(await this.keys.list(id, accountId, page), page, ApiKeyResponse.from);
  }

  @Post()
  @RequireScopes('iam:api-key:create')
  @AbilitySubject('accountId')
  @Problems('conflict')
  @Operation(
    'Create a key of a service account',
    'The response contains the key, which cannot be read again. The caller must hold every permission of the account.',
  )
  @Creates(CreatedApiKeyResponse, '/api/v1/iam/tenants/:id/service-accounts/:accountId/keys/{id}')
  async createApiKey(
    @Caller() caller: Principal,
    @Param() { id, accountId }: TenantPath<'accountId'>,
    @Body() body: CreateApiKeyDto,
  ) {
    const { credential, plainKey } = await this.keys.create(id, caller, accountId, body);
    return { ...ApiKeyResponse.from(credential), key: plainKey };
  }

  @Delete(':keyId')
  @RequireScopes('iam:api-key:revoke')
  @AbilitySubject('keyId')
  @HttpCode(204)
  @Operation('Revoke a key of a service account', 'Every replica refuses it within a second.')
  async revokeApiKey(
    @Caller() { userId }: Principal,
    @Param() { id, accountId, keyId }: TenantPath<'accountId' | 'keyId'>,
  ): Promise<void> {
    await this.keys.revoke(id, userId, accountId, keyId);
  }
}
