import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
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
import { Caller } from '../../platform/web/index.js';
import { ApisTag } from '../client.declarations.js';
import { ApiCredentialResponse, ApiResponse, RegisterApiDto, UpdateApiDto } from './api.dto.js';
import { ApiService } from './api.service.js';

const CHANGE = 'Omitted fields do not change. A scope that is removed is in no further token.';
const DELETION = 'No further tokens are issued for it, and its credentials are refused at once.';
const CREDENTIAL =
  'By which it asks `/oauth2/introspect` for the state of its tokens. It cannot be read again. The previous one remains valid for one day.';

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
  @Operation('Change an API of the platform', CHANGE)
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
  @Operation('Delete an API of the platform', DELETION)
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
  @Operation('Create the credential of an API of the platform', CREDENTIAL)
  @Creates(ApiCredentialResponse, '/api/v1/iam/apis/:apiId')
  async createApiCredential(@Caller() { userId }: Principal, @Param('apiId') apiId: string) {
    return ApiCredentialResponse.of(apiId, await this.apis.createCredential(null, userId, apiId));
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
  @Operation('Change an API of an organization', CHANGE)
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
  @Operation('Delete an API of an organization', DELETION)
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
  @Operation('Create the credential of an API of an organization', CREDENTIAL)
  @Creates(ApiCredentialResponse, '/api/v1/iam/tenants/:id/apis/:apiId')
  async createTenantApiCredential(
    @Caller() { userId }: Principal,
    @Param() { id, apiId }: TenantPath<'apiId'>,
  ) {
    return ApiCredentialResponse.of(apiId, await this.apis.createCredential(id, userId, apiId));
  }
}
