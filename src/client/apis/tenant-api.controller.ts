import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { MachineDirectory } from '../../machine/index.js';
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
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { ApisTag } from '../clients-tag.js';
import { ClientIdParam } from '../registry/client-id-param.js';
import { TenantClientService } from '../tenant-clients/tenant-client.service.js';
import {
  ApiCredentialResponse,
  ApiReachResponse,
  ApiResponse,
  ReachedApiResponse,
  RegisterApiDto,
  SetReachDto,
  UpdateApiDto,
} from './api.dto.js';
import { ApiService } from './api.service.js';

/** APIs of one organization: their tokens are for its members only. */
@ApisTag()
@TenantParam('id')
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/apis')
export class TenantApiController {
  constructor(private readonly apis: ApiService) {}

  @Get()
  @RequireScopes('iam:client:read')
  @Paged(ApiResponse)
  @ApiOperation({ operationId: 'listTenantApis', summary: 'List the APIs of an organization' })
  async list(@Param('id') id: string, @PageOf() page: Page): Promise<ItemPage<ApiResponse>> {
    return toPage(await this.apis.list(id as TenantId, page), page, ApiResponse.from);
  }

  @Post()
  @RequireScopes('iam:client:create')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'registerTenantApi',
    summary: 'Register an API of an organization',
    description:
      'Clients ask for its tokens by `resource` (RFC 8707): each is of a member, and has the organization as `tid`. No client reaches it before it is given scopes of it.',
  })
  @Creates(ApiResponse, '/api/v1/iam/tenants/:id/apis/{id}')
  async register(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Body() body: RegisterApiDto,
  ): Promise<ApiResponse> {
    return ApiResponse.from(await this.apis.register(id as TenantId, userId, body));
  }

  @Get(':apiId')
  @RequireScopes('iam:client:read')
  @ApiOperation({ operationId: 'getTenantApi', summary: 'Get an API of an organization' })
  @Versioned(ApiResponse)
  async read(@Param('id') id: string, @Param('apiId') apiId: string): Promise<ApiResponse> {
    return ApiResponse.from(await this.apis.get(id as TenantId, apiId));
  }

  @Patch(':apiId')
  @RequireScopes('iam:client:update')
  @ApiOperation({
    operationId: 'updateTenantApi',
    summary: 'Change an API of an organization',
    description: 'Omitted fields do not change. A scope that is removed is in no further token.',
  })
  @Versioned(ApiResponse)
  async update(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('apiId') apiId: string,
    @Body() body: UpdateApiDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<ApiResponse> {
    await ifMatch.require(() => this.read(id, apiId));
    return ApiResponse.from(await this.apis.update(id as TenantId, userId, apiId, body));
  }

  @Delete(':apiId')
  @RequireScopes('iam:client:delete')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteTenantApi',
    summary: 'Delete an API of an organization',
    description: 'No further tokens are issued for it, and its credentials are refused at once.',
  })
  async delete(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('apiId') apiId: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.read(id, apiId));
    await this.apis.delete(id as TenantId, userId, apiId);
  }

  @Post(':apiId/credentials')
  @RequireScopes('iam:client:rotate-secret')
  @ApiOperation({
    operationId: 'createTenantApiCredential',
    summary: 'Create the credential of an API of an organization',
    description:
      'By which it asks `/oauth2/introspect` for the state of its tokens. It cannot be read again. The previous one remains valid for one day.',
  })
  @Creates(ApiCredentialResponse, '/api/v1/iam/tenants/:id/apis/:apiId')
  async createCredential(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('apiId') apiId: string,
  ): Promise<ApiCredentialResponse> {
    return ApiCredentialResponse.of(apiId, await this.apis.createCredential(id as TenantId, userId, apiId));
  }
}

/** Lets an organization give its clients and service accounts scopes of its APIs. */
@ApisTag()
@TenantParam('id')
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/clients/:clientId/apis')
export class TenantClientReachController {
  constructor(
    private readonly apis: ApiService,
    private readonly clients: TenantClientService,
    private readonly machines: MachineDirectory,
  ) {}

  @Get()
  @RequireScopes('iam:client:read')
  @ClientIdParam()
  @Paged(ReachedApiResponse)
  @ApiOperation({
    operationId: 'listTenantClientApis',
    summary: 'List the APIs that a client of an organization reaches',
    description:
      'Of a client or a service account (by its id): APIs of the organization and of the platform.',
  })
  async list(
    @Param('id') id: string,
    @Param('clientId') clientId: string,
    @PageOf() page: Page,
  ): Promise<ItemPage<ReachedApiResponse>> {
    const tenantId = id as TenantId;
    await this.requireClient(tenantId, clientId);
    return toPage(
      await this.apis.listReached(tenantId, clientId, page),
      page,
      (reached) => reached,
      ({ apiId }) => apiId,
    );
  }

  @Put(':apiId')
  @RequireScopes('iam:client:update')
  @ClientIdParam()
  @ApiOperation({
    operationId: 'setTenantClientApi',
    summary: 'Give a client scopes of an API of an organization',
    description:
      'Of a client or a service account (by its id) of the organization. Replaces those that it had. Without scopes, it does not reach the API any more.',
  })
  @ApiOkResponse({ type: ApiReachResponse })
  async set(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('clientId') clientId: string,
    @Param('apiId') apiId: string,
    @Body() { scopes }: SetReachDto,
  ): Promise<ApiReachResponse> {
    const tenantId = id as TenantId;
    await this.requireClient(tenantId, clientId);
    await this.apis.setReach(tenantId, userId, { id: apiId, clientId, scopes });
    return { apiId, clientId, scopes };
  }

  /** @throws {AppError} not-found for what is neither a client nor a service account of it */
  private async requireClient(tenantId: TenantId, clientId: string): Promise<void> {
    if (!(await this.machines.findRolesPredicate(clientId, tenantId)))
      await this.clients.get(tenantId, clientId);
  }
}
