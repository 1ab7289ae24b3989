import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
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
import { RegisterTenantClientDto, UpdateTenantClientDto } from '../tenant-clients/tenant-client.dto.js';
import { TenantClientService } from '../tenant-clients/tenant-client.service.js';
import { type KeysOfBody, requirePublicKeys } from './client-jwks.js';
import {
  RegisteredSatelliteResponse,
  RegisterSatelliteDto,
  RotatedSecretResponse,
  SatelliteResponse,
  UpdateSatelliteDto,
} from './client.dto.js';
import { ClientService } from './client.service.js';

/** Lets operators register and change clients. */
@SatellitesTag()
@Controller('api/v1/iam/satellites')
export class ClientController {
  constructor(private readonly clients: ClientService) {}

  @Get()
  @RequireScopes('iam:satellite:read')
  @Paged(SatelliteResponse)
  @Operation('List satellites')
  async listSatellites(@PageOf() page: Page) {
    return toPage(await this.clients.list(page), page, SatelliteResponse.from);
  }

  @Post()
  @RequireScopes('iam:satellite:create')
  @Problems('conflict')
  @Operation(
    'Register a satellite',
    'The response contains the secret of a confidential client, which cannot be read again. A registration is of one protocol: of satellite codes, or of OpenID Connect (`satelliteCodes`).',
  )
  @Creates(RegisteredSatelliteResponse, '/api/v1/iam/satellites/{clientId}')
  async registerSatellite(
    @Caller() caller: Principal,
    @Body() body: RegisterSatelliteDto,
    @Req() request: Request,
  ) {
    requirePublicKeys(request.body as KeysOfBody);
    return RegisteredSatelliteResponse.of(await this.clients.register(caller.userId, body));
  }

  @Get(':clientId')
  @RequireScopes('iam:satellite:read')
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Operation('Get a satellite')
  @Versioned(SatelliteResponse)
  async getSatellite(@Param('clientId') clientId: string) {
    return SatelliteResponse.from(await this.clients.get(clientId));
  }

  @Patch(':clientId')
  @RequireScopes('iam:satellite:update')
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Operation('Change a satellite', 'Omitted fields do not change. New scopes are effective at once.')
  @Versioned(SatelliteResponse)
  async updateSatellite(
    @Caller() caller: Principal,
    @Param('clientId') clientId: string,
    @Body() body: UpdateSatelliteDto,
    @IfMatch() ifMatch: Precondition,
    @Req() request: Request,
  ) {
    requirePublicKeys(request.body as KeysOfBody);
    await ifMatch.require(() => this.getSatellite(clientId));
    return SatelliteResponse.from(await this.clients.update(caller.userId, clientId, body));
  }

  @Post(':clientId/rotate-secret')
  @RequireScopes('iam:satellite:rotate-secret')
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Operation('Rotate the secret', 'The previous secret remains valid for one day.')
  @Answers(RotatedSecretResponse)
  async rotateSatelliteSecret(@Caller() caller: Principal, @Param('clientId') clientId: string) {
    const rotated = await this.clients.rotateSecret(caller.userId, clientId);
    return { ...rotated, previousValidUntil: rotated.previousValidUntil.toISOString() };
  }

  @Post(':clientId/disable')
  @RequireScopes('iam:satellite:disable')
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Operation('Disable a satellite', 'All its tokens are refused at once.')
  @Answers(SatelliteResponse)
  async disableSatellite(@Caller() caller: Principal, @Param('clientId') clientId: string) {
    return SatelliteResponse.from(await this.clients.disable(caller.userId, clientId));
  }

  @Post(':clientId/enable')
  @RequireScopes('iam:satellite:enable')
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Operation('Enable a satellite again')
  @Answers(SatelliteResponse)
  async enableSatellite(@Caller() caller: Principal, @Param('clientId') clientId: string) {
    return SatelliteResponse.from(await this.clients.enable(caller.userId, clientId));
  }
}

/** Clients of OpenID Connect to which only the members of one organization sign in. */
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
    return RegisteredSatelliteResponse.of(await this.clients.register(id, userId, body));
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
