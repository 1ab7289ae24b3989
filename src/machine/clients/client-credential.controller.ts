import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Operation, type Page, Paged, PageOf, Problems, toPage } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { MachinesTag } from '../machine.declarations.js';
import {
  ClientCredentialResponse,
  CreateClientCredentialDto,
  CreatedClientCredentialResponse,
} from './client-credential.dto.js';
import { requirePublic } from './client-key.js';
import { ClientCredentialService } from './client-credential.service.js';

/** Credentials of a service account at the token endpoint. */
@MachinesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/service-accounts/:accountId/credentials')
export class ClientCredentialController {
  constructor(private readonly credentials: ClientCredentialService) {}

  @Get()
  @RequireScopes('iam:api-key:read')
  @AbilitySubject('accountId')
  @Paged(ClientCredentialResponse)
  @Operation('List client credentials')
  async listClientCredentials(@Param() { id, accountId }: TenantPath<'accountId'>, @PageOf() page: Page) {
    return toPage(await this.credentials.list(id, accountId, page), page, ClientCredentialResponse.from);
  }

  @Post()
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

  @Delete(':credentialId')
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
