import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  Answers,
  IfMatch,
  Operation,
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
import { MachinesTag } from '../machine.declarations.js';
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
  @Operation('List service accounts')
  async listServiceAccounts(
    @Param() { id }: TenantPath,
    @PageOf() page: Page,
    @QueryOf(ServiceAccountsQuery) query: ServiceAccountsQuery,
  ) {
    return toPage(await this.accounts.list(id, page, query), page, ServiceAccountResponse.from);
  }

  @Post()
  @RequireScopes('iam:service-account:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Create a service account',
    'The caller must hold every permission of its roles. It cannot be an owner.',
  )
  @Creates(ServiceAccountResponse, '/api/v1/iam/tenants/:id/service-accounts/{id}')
  async createServiceAccount(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: CreateServiceAccountDto,
  ) {
    return ServiceAccountResponse.from(await this.accounts.create(id, caller, body));
  }

  @Get(':accountId')
  @RequireScopes('iam:service-account:read')
  @AbilitySubject('id')
  @Operation('Get a service account')
  @Versioned(ServiceAccountResponse)
  async getServiceAccount(@Param() { id, accountId }: TenantPath<'accountId'>) {
    return ServiceAccountResponse.from(await this.accounts.get(id, accountId));
  }

  @Patch(':accountId')
  @RequireScopes('iam:service-account:update')
  @AbilitySubject('accountId')
  @Operation(
    'Change a service account',
    'Omitted fields do not change. Effective with the next request of its keys.',
  )
  @Versioned(ServiceAccountResponse)
  async updateServiceAccount(
    @Caller() caller: Principal,
    @Param() { id, accountId }: TenantPath<'accountId'>,
    @Body() body: UpdateServiceAccountDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getServiceAccount({ id, accountId }));
    return ServiceAccountResponse.from(await this.accounts.update(id, caller, accountId, body));
  }

  @Delete(':accountId')
  @RequireScopes('iam:service-account:delete')
  @AbilitySubject('accountId')
  @HttpCode(204)
  @Operation('Delete a service account with its keys')
  async deleteServiceAccount(
    @Caller() caller: Principal,
    @Param() { id, accountId }: TenantPath<'accountId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getServiceAccount({ id, accountId }));
    await this.accounts.delete(id, caller.userId, accountId);
  }

  @Post(':accountId/disable')
  @RequireScopes('iam:service-account:disable')
  @AbilitySubject('accountId')
  @Operation('Disable a service account', 'Its keys and other credentials are refused until it is enabled.')
  @Answers(ServiceAccountResponse)
  disableServiceAccount(@Caller() caller: Principal, @Param() path: TenantPath<'accountId'>) {
    return this.setStatus(caller, path, 'disabled');
  }

  @Post(':accountId/enable')
  @RequireScopes('iam:service-account:enable')
  @AbilitySubject('accountId')
  @Operation('Enable a service account')
  @Answers(ServiceAccountResponse)
  enableServiceAccount(@Caller() caller: Principal, @Param() path: TenantPath<'accountId'>) {
    return this.setStatus(caller, path, 'active');
  }

  private async setStatus(
    { userId }: Principal,
    { id, accountId }: TenantPath<'accountId'>,
    status: 'active' | 'disabled',
  ): Promise<ServiceAccountResponse> {
    return ServiceAccountResponse.from(await this.accounts.setStatus(id, userId, accountId, status));
  }
}
