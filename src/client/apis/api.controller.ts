import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
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
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { ApisTag, ClientIdParam } from '../client.declarations.js';
import { ClientService } from '../registry/client.service.js';
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
