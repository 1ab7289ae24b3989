import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { MachineDirectory } from '../../machine/index.js';
import {
  Answers,
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
import { Caller } from '../../platform/web/index.js';
import { ApisTag, ClientIdParam } from '../client.declarations.js';
import { ClientService } from '../registry/client.service.js';
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

/** Lets operators register and change APIs of the platform. */
@ApisTag()
@Controller('api/v1/iam/apis')
export class ApiController {
  constructor(private readonly apis: ApiService) {}

  @Get()
  @RequireScopes('iam:api:read')
  @Paged(ApiResponse)
  @Operation('List the APIs of the platform')
  async listApis(@PageOf() page: Page) {
    return toPage(await this.apis.list(null, page), page, ApiResponse.from);
  }

  @Post()
  @RequireScopes('iam:api:create')
  @Problems('conflict')
  @Operation(
    'Register an API of the platform',
    'Clients ask for its tokens by `resource` (RFC 8707). No client reaches it before it is given scopes of it.',
  )
  @Creates(ApiResponse, '/api/v1/iam/apis/{id}')
  async registerApi(@Caller() { userId }: Principal, @Body() body: RegisterApiDto) {
    return ApiResponse.from(await this.apis.register(null, userId, body));
  }

  @Get(':apiId')
  @RequireScopes('iam:api:read')
  @AbilitySubject('apiId')
  @Operation('Get an API of the platform')
  @Versioned(ApiResponse)
  async getApi(@Param('apiId') apiId: string) {
    return ApiResponse.from(await this.apis.get(null, apiId));
  }

  @Patch(':apiId')
  @RequireScopes('iam:api:update')
  @AbilitySubject('apiId')
  @Operation(
    'Change an API of the platform',
    'Omitted fields do not change. A scope that is removed is in no further token.',
  )
  @Versioned(ApiResponse)
  async updateApi(
    @Caller() { userId }: Principal,
    @Param('apiId') apiId: string,
    @Body() body: UpdateApiDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getApi(apiId));
    return ApiResponse.from(await this.apis.update(null, userId, apiId, body));
  }

  @Delete(':apiId')
  @RequireScopes('iam:api:delete')
  @AbilitySubject('apiId')
  @HttpCode(204)
  @Operation(
    'Delete an API of the platform',
    'No further tokens are issued for it, and its credentials are refused at once.',
  )
  async deleteApi(
    @Caller() { userId }: Principal,
    @Param('apiId') apiId: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getApi(apiId));
    await this.apis.delete(null, userId, apiId);
  }

  @Post(':apiId/credentials')
  @RequireScopes('iam:api:update')
  @AbilitySubject('apiId')
  @Operation(
    'Create the credential of an API of the platform',
    'By which it asks `/oauth2/introspect` for the state of its tokens. It cannot be read again. The previous one remains valid for one day.',
  )
  @Creates(ApiCredentialResponse, '/api/v1/iam/apis/:apiId')
  async createApiCredential(@Caller() { userId }: Principal, @Param('apiId') apiId: string) {
    return ApiCredentialResponse.of(apiId, await this.apis.createCredential(null, userId, apiId));
  }
}

/** Lets operators give clients scopes of APIs of the platform. */
@ApisTag()
@AbilitySubject('clientId')
@Controller('api/v1/iam/satellites/:clientId/apis')
export class ClientReachController {
  constructor(
    private readonly apis: ApiService,
    private readonly clients: ClientService,
  ) {}

  @Get()
  @RequireScopes('iam:satellite:read')
  @ClientIdParam()
  @Paged(ReachedApiResponse)
  @Operation('List the APIs that a client reaches')
  async listSatelliteApis(@Param('clientId') named: string, @PageOf() page: Page) {
    const { clientId } = await this.clients.get(named);
    return toPage(
      await this.apis.listReached(null, clientId, page),
      page,
      (reached) => reached,
      ({ apiId }) => apiId,
    );
  }

  @Put(':apiId')
  @RequireScopes('iam:satellite:update')
  @ClientIdParam()
  @Operation(
    'Give a client scopes of an API of the platform',
    'Replaces those that it had. Without scopes, it does not reach the API any more.',
  )
  @Answers(ApiReachResponse)
  async setSatelliteApi(
    @Caller() { userId }: Principal,
    @Param('clientId') named: string,
    @Param('apiId') apiId: string,
    @Body() { scopes }: SetReachDto,
  ) {
    const { clientId } = await this.clients.get(named);
    await this.apis.setReach(null, userId, { id: apiId, clientId, scopes });
    return { apiId, clientId, scopes };
  }
}

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
  @Operation('List the APIs of an organization')
  async listTenantApis(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.apis.list(id, page), page, ApiResponse.from);
  }

  @Post()
  @RequireScopes('iam:client:create')
  @Problems('conflict')
  @Operation(
    'Register an API of an organization',
    'Clients ask for its tokens by `resource` (RFC 8707): each is of a member, and has the organization as `tid`. No client reaches it before it is given scopes of it.',
  )
  @Creates(ApiResponse, '/api/v1/iam/tenants/:id/apis/{id}')
  async registerTenantApi(
    @Caller() { userId }: Principal,
    @Param() { id }: TenantPath,
    @Body() body: RegisterApiDto,
  ) {
    return ApiResponse.from(await this.apis.register(id, userId, body));
  }

  @Get(':apiId')
  @RequireScopes('iam:client:read')
  @Operation('Get an API of an organization')
  @Versioned(ApiResponse)
  async getTenantApi(@Param() { id, apiId }: TenantPath<'apiId'>) {
    return ApiResponse.from(await this.apis.get(id, apiId));
  }

  @Patch(':apiId')
  @RequireScopes('iam:client:update')
  @Operation(
    'Change an API of an organization',
    'Omitted fields do not change. A scope that is removed is in no further token.',
  )
  @Versioned(ApiResponse)
  async updateTenantApi(
    @Caller() { userId }: Principal,
    @Param() { id, apiId }: TenantPath<'apiId'>,
    @Body() body: UpdateApiDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getTenantApi({ id, apiId }));
    return ApiResponse.from(await this.apis.update(id, userId, apiId, body));
  }

  @Delete(':apiId')
  @RequireScopes('iam:client:delete')
  @HttpCode(204)
  @Operation(
    'Delete an API of an organization',
    'No further tokens are issued for it, and its credentials are refused at once.',
  )
  async deleteTenantApi(
    @Caller() { userId }: Principal,
    @Param() { id, apiId }: TenantPath<'apiId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getTenantApi({ id, apiId }));
    await this.apis.delete(id, userId, apiId);
  }

  @Post(':apiId/credentials')
  @RequireScopes('iam:client:rotate-secret')
  @Operation(
    'Create the credential of an API of an organization',
    'By which it asks `/oauth2/introspect` for the state of its tokens. It cannot be read again. The previous one remains valid for one day.',
  )
  @Creates(ApiCredentialResponse, '/api/v1/iam/tenants/:id/apis/:apiId')
  async createTenantApiCredential(
    @Caller() { userId }: Principal,
    @Param() { id, apiId }: TenantPath<'apiId'>,
  ) {
    return ApiCredentialResponse.of(apiId, await this.apis.createCredential(id, userId, apiId));
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
  @Operation(
    'List the APIs that a client of an organization reaches',
    'Of a client or a service account (by its id): APIs of the organization and of the platform.',
  )
  async listTenantClientApis(@Param() { id, clientId }: TenantPath<'clientId'>, @PageOf() page: Page) {
    const tenantId = id;
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
  @Operation(
    'Give a client scopes of an API of an organization',
    'Of a client or a service account (by its id) of the organization. Replaces those that it had. Without scopes, it does not reach the API any more.',
  )
  @Answers(ApiReachResponse)
  async setTenantClientApi(
    @Caller() { userId }: Principal,
    @Param() { id, clientId, apiId }: TenantPath<'clientId' | 'apiId'>,
    @Body() { scopes }: SetReachDto,
  ) {
    const tenantId = id;
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
