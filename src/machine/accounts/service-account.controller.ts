import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import {
  ApiOkResponse,
  ApiOperation,
  IfMatch,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  QueryOf,
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { MachinesTag } from '../machines-tag.js';
import {
  CreateServiceAccountDto,
  ServiceAccountResponse,
  ServiceAccountsQuery,
  UpdateServiceAccountDto,
} from './service-account.dto.js';
import { ServiceAccountService } from './service-account.service.js';

/** Operations on the service accounts of an organization. */
@MachinesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/service-accounts')
export class ServiceAccountController {
  constructor(private readonly accounts: ServiceAccountService) {}

  @Get()
  @RequireScopes('iam:service-account:read')
  @AbilitySubject('id')
  @Paged(ServiceAccountResponse)
  @ApiOperation({ operationId: 'listServiceAccounts', summary: 'List service accounts' })
  async list(
    @Param('id') id: string,
    @PageOf() page: Page,
    @QueryOf(ServiceAccountsQuery) query: ServiceAccountsQuery,
  ): Promise<ItemPage<ServiceAccountResponse>> {
    return toPage(await this.accounts.list(id as TenantId, page, query), page, ServiceAccountResponse.from);
  }

  @Post()
  @RequireScopes('iam:service-account:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'createServiceAccount',
    summary: 'Create a service account',
    description: 'The caller must hold every permission of its roles. It cannot be an owner.',
  })
  @Creates(ServiceAccountResponse, '/api/v1/iam/tenants/:id/service-accounts/{id}')
  async create(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: CreateServiceAccountDto,
  ): Promise<ServiceAccountResponse> {
    return ServiceAccountResponse.from(await this.accounts.create(id as TenantId, caller, body));
  }

  @Get(':accountId')
  @RequireScopes('iam:service-account:read')
  @AbilitySubject('id')
  @ApiOperation({ operationId: 'getServiceAccount', summary: 'Read a service account' })
  @Versioned(ServiceAccountResponse)
  async read(
    @Param('id') id: string,
    @Param('accountId') accountId: string,
  ): Promise<ServiceAccountResponse> {
    return ServiceAccountResponse.from(await this.accounts.get(id as TenantId, accountId));
  }

  @Patch(':accountId')
  @RequireScopes('iam:service-account:update')
  @AbilitySubject('accountId')
  @ApiOperation({
    operationId: 'updateServiceAccount',
    summary: 'Change a service account',
    description: 'Omitted fields do not change. Effective with the next request of its keys.',
  })
  @Versioned(ServiceAccountResponse)
  async update(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('accountId') accountId: string,
    @Body() body: UpdateServiceAccountDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<ServiceAccountResponse> {
    await ifMatch.require(() => this.read(id, accountId));
    return ServiceAccountResponse.from(await this.accounts.update(id as TenantId, caller, accountId, body));
  }

  @Delete(':accountId')
  @RequireScopes('iam:service-account:delete')
  @AbilitySubject('accountId')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteServiceAccount',
    summary: 'Delete a service account with its keys',
  })
  async delete(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('accountId') accountId: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.read(id, accountId));
    await this.accounts.delete(id as TenantId, caller.userId, accountId);
  }

  @Post(':accountId/disable')
  @RequireScopes('iam:service-account:disable')
  @AbilitySubject('accountId')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'disableServiceAccount',
    summary: 'Disable a service account',
    description: 'Its keys and other credentials are refused until it is enabled.',
  })
  @ApiOkResponse({ type: ServiceAccountResponse })
  disable(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('accountId') accountId: string,
  ): Promise<ServiceAccountResponse> {
    return this.setStatus(caller, id, accountId, 'disabled');
  }

  @Post(':accountId/enable')
  @RequireScopes('iam:service-account:enable')
  @AbilitySubject('accountId')
  @HttpCode(200)
  @ApiOperation({ operationId: 'enableServiceAccount', summary: 'Enable a service account' })
  @ApiOkResponse({ type: ServiceAccountResponse })
  enable(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('accountId') accountId: string,
  ): Promise<ServiceAccountResponse> {
    return this.setStatus(caller, id, accountId, 'active');
  }

  private async setStatus(
    { userId }: Principal,
    id: string,
    accountId: string,
    status: 'active' | 'disabled',
  ): Promise<ServiceAccountResponse> {
    return ServiceAccountResponse.from(
      await this.accounts.setStatus(id as TenantId, userId, accountId, status),
    );
  }
}
