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
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { ClientIdParam, SatellitesTag } from '../client.declarations.js';
import {
  RegisteredSatelliteResponse,
  RotatedSecretResponse,
  SatelliteResponse,
} from '../registry/client.dto.js';
import { RegisterTenantClientDto, UpdateTenantClientDto } from './tenant-client.dto.js';
import { TenantClientService } from './tenant-client.service.js';

/** Clients of OpenID Connect to which the members of one organization alone sign in. */
@SatellitesTag()
@TenantParam('id')
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/clients')
export class TenantClientController {
  constructor(private readonly clients: TenantClientService) {}

  @Get()
  @RequireScopes('iam:client:read')
  @Paged(SatelliteResponse)
  @Operation('List the clients of an organization')
  async listTenantClients(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.clients.list(id, page), page, SatelliteResponse.from);
  }

  @Post()
  @RequireScopes('iam:client:create')
  @Problems('conflict')
  @Operation(
    'Register a client of an organization',
    'Only its members can sign in to it, by OpenID Connect. The service chooses the client id. The response contains the secret of a confidential client, which cannot be read again.',
  )
  @Creates(RegisteredSatelliteResponse, '/api/v1/iam/tenants/:id/clients/{clientId}')
  async registerTenantClient(
    @Caller() { userId }: Principal,
    @Param() { id }: TenantPath,
    @Body() body: RegisterTenantClientDto,
  ) {
    const { client, clientSecret } = await this.clients.register(id, userId, body);
    return { ...SatelliteResponse.from(client), ...(clientSecret !== undefined && { clientSecret }) };
  }

  @Get(':clientId')
  @RequireScopes('iam:client:read')
  @ClientIdParam()
  @Operation('Get a client of an organization')
  @Versioned(SatelliteResponse)
  async getTenantClient(@Param() { id, clientId }: TenantPath<'clientId'>) {
    return SatelliteResponse.from(await this.clients.get(id, clientId));
  }

  @Patch(':clientId')
  @RequireScopes('iam:client:update')
  @ClientIdParam()
  @Operation(
    'Change a client of an organization',
    'Omitted fields do not change. New scopes are effective at once. The caller has to hold the permissions that the client has.',
  )
  @Versioned(SatelliteResponse)
  async updateTenantClient(
    @Caller() caller: Principal,
    @Param() { id, clientId }: TenantPath<'clientId'>,
    @Body() body: UpdateTenantClientDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getTenantClient({ id, clientId }));
    return SatelliteResponse.from(await this.clients.update(id, caller, clientId, body));
  }

  @Post(':clientId/rotate-secret')
  @RequireScopes('iam:client:rotate-secret')
  @ClientIdParam()
  @Problems('conflict')
  @Operation(
    'Rotate the secret of a client of an organization',
    'The previous secret remains valid for one day. 409 for a public client. The caller has to hold the permissions that the client has.',
  )
  @Answers(RotatedSecretResponse)
  async rotateTenantClientSecret(
    @Caller() caller: Principal,
    @Param() { id, clientId }: TenantPath<'clientId'>,
  ) {
    const rotated = await this.clients.rotateSecret(id, caller, clientId);
    return { ...rotated, previousValidUntil: rotated.previousValidUntil.toISOString() };
  }

  @Delete(':clientId')
  @RequireScopes('iam:client:delete')
  @ClientIdParam()
  @HttpCode(204)
  @Operation('Delete a client of an organization', 'All its tokens are refused at once.')
  async deleteTenantClient(
    @Caller() { userId }: Principal,
    @Param() { id, clientId }: TenantPath<'clientId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getTenantClient({ id, clientId }));
    await this.clients.delete(id, userId, clientId);
  }
}
