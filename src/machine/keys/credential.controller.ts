import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Operation, type Page, Paged, PageOf, Problems, toPage } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import {
  ClientCredentialResponse,
  CreateClientCredentialDto,
  CreatedClientCredentialResponse,
} from '../clients/client-credential.dto.js';
import { ClientCredentialService } from '../clients/client-credential.service.js';
import { requirePublic } from '../clients/client-key.js';
import { MachinesTag } from '../machine.declarations.js';
import { ApiKeyService } from './api-key.service.js';
import { ApiKeyResponse, CreateApiKeyDto, CreatedApiKeyResponse, EndedApiKeyResponse } from './key.dto.js';

/** Keys of a service account, and its credentials at the token endpoint. */
@MachinesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/service-accounts/:accountId')
export class CredentialController {
  constructor(
    private readonly keys: ApiKeyService,
    private readonly credentials: ClientCredentialService,
  ) {}

  @Get('keys')
  @RequireScopes('iam:api-key:read')
  @AbilitySubject('accountId')
  @Paged(ApiKeyResponse)
  @Operation('List keys of a service account', 'Oldest first. Expired ones are listed for 30 days.')
  async listApiKeys(@Param() { id, accountId }: TenantPath<'accountId'>, @PageOf() page: Page) {
    return toPage(await this.keys.list(id, accountId, page), page, ApiKeyResponse.from);
  }

  @Post('keys')
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

  @Delete('keys/:keyId')
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

  @Get('ended-keys')
  @RequireScopes('iam:api-key:read')
  @AbilitySubject('accountId')
  @Paged(EndedApiKeyResponse)
  @Operation(
    'List revoked keys of a service account',
    'Who ended them, when and why, for a year. The newest key first.',
  )
  async listEndedApiKeys(@Param() { id, accountId }: TenantPath<'accountId'>, @PageOf() page: Page) {
    return toPage(await this.keys.listEnded(id, accountId, page), page, EndedApiKeyResponse.from);
  }

  @Get('credentials')
  @RequireScopes('iam:api-key:read')
  @AbilitySubject('accountId')
  @Paged(ClientCredentialResponse)
  @Operation('List client credentials')
  async listClientCredentials(@Param() { id, accountId }: TenantPath<'accountId'>, @PageOf() page: Page) {
    return toPage(await this.credentials.list(id, accountId, page), page, ClientCredentialResponse.from);
  }

  @Post('credentials')
  @RequireScopes('iam:api-key:create')
  @AbilitySubject('accountId')
  @Problems('conflict')
  @Operation(
    'Create a client credential',
    'A secret, which cannot be read again, or a public key. For `client_credentials` at `/oauth2/token`.',
  )
  @Creates(
    CreatedClientCredentialResponse,
    '/api/v1/iam/tenants/:id/service-accounts/:accountId/credentials/{id}',
  )
  async createClientCredential(
    @Caller() caller: Principal,
    @Param() { id, accountId }: TenantPath<'accountId'>,
    @Body() body: CreateClientCredentialDto,
    @Req() request: Request,
  ) {
    // Validation drops members that it does not know, so that a private key would pass for a public
    // one.
    requirePublic((request.body as { readonly jwk?: object }).jwk);
    const { credential, plainSecret } = await this.credentials.create(id, caller, accountId, body);
    return { ...ClientCredentialResponse.from(credential), clientSecret: plainSecret };
  }

  @Delete('credentials/:credentialId')
  @RequireScopes('iam:api-key:revoke')
  @AbilitySubject('credentialId')
  @HttpCode(204)
  @Operation('Delete a client credential')
  async deleteClientCredential(
    @Caller() { userId }: Principal,
    @Param() { id, accountId, credentialId }: TenantPath<'accountId' | 'credentialId'>,
  ): Promise<void> {
    await this.credentials.delete(id, userId, accountId, credentialId);
  }
}
