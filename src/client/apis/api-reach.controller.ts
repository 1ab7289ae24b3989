import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { MachineDirectory } from '../../machine/index.js';
import {
  Answers,
  type ItemPage,
  Operation,
  type Page,
  Paged,
  PageOf,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { ApisTag, ClientIdParam } from '../client.declarations.js';
import { ClientService } from '../registry/client.service.js';
import { TenantClientService } from '../tenant-clients/tenant-client.service.js';
import { ApiReachResponse, ReachedApiResponse, SetReachDto } from './api.dto.js';
import type { ReachedApi } from './api.repository.js';
import { ApiService } from './api.service.js';

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
    return pageOf(await this.apis.listReached(null, clientId, page), page);
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
    await this.requireClient(id, clientId);
    return pageOf(await this.apis.listReached(id, clientId, page), page);
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
    await this.requireClient(id, clientId);
    await this.apis.setReach(id, userId, { id: apiId, clientId, scopes });
    return { apiId, clientId, scopes };
  }

  /** @throws {AppError} not-found for what is neither a client nor a service account of it */
  private async requireClient(tenantId: TenantId, clientId: string): Promise<void> {
    if (!(await this.machines.findRolesPredicate(clientId, tenantId)))
      await this.clients.get(tenantId, clientId);
  }
}

const pageOf = (apis: readonly ReachedApi[], page: Page): ItemPage<ReachedApi> =>
  toPage(
    apis,
    page,
    (api) => api,
    ({ apiId }) => apiId,
  );
