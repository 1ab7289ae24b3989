import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  UseInterceptors,
} from '@nestjs/common';
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
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Caller } from '../../platform/web/index.js';
import { Fetched, type FetchedMetadata, MetadataInterceptor } from '../metadata/metadata.interceptor.js';
import { SingleSignOnTag } from '../connection.declarations.js';
import { CreateConnectionDto, DisableConnectionDto, UpdateConnectionDto } from './connection.dto.js';
import { ConnectionResponse } from './connection.response.js';
import { ConnectionStatusService } from './connection-status.service.js';
import { ConnectionService, type ShownConnection } from './connection.service.js';

/** Connections of an organization to its own identity providers. */
@SingleSignOnTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/connections')
export class ConnectionController {
  constructor(
    private readonly connections: ConnectionService,
    private readonly statuses: ConnectionStatusService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @RequireScopes('iam:connection:read')
  @AbilitySubject('id')
  @Paged(ConnectionResponse)
  @Operation('List connections')
  async listConnections(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.connections.list(id, page), page, (connection) => this.show(connection));
  }

  @Post()
  @RequireScopes('iam:connection:create')
  @UseInterceptors(MetadataInterceptor)
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Create a connection',
    'A draft. Enter `serviceProvider` at the identity provider. `settings` need the fields of the kind: `issuer`, `clientId` and `clientSecret`, or `entityId`, `ssoUrl` and `certificates`; `metadata` or `metadataUrl` in place of these three.',
  )
  @Creates(ConnectionResponse, '/api/v1/iam/tenants/:id/connections/{id}')
  async createConnection(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: CreateConnectionDto,
    @Fetched() fetched: FetchedMetadata | null,
  ) {
    return this.show(await this.connections.create(id, caller, body, fetched));
  }

  @Get(':connectionId')
  @RequireScopes('iam:connection:read')
  @AbilitySubject('id')
  @Operation('Get a connection')
  @Versioned(ConnectionResponse)
  async getConnection(@Param() { id, connectionId }: TenantPath<'connectionId'>) {
    return this.show(await this.connections.get(id, connectionId));
  }

  @Patch(':connectionId')
  @RequireScopes('iam:connection:update')
  @UseInterceptors(MetadataInterceptor)
  @AbilitySubject('connectionId')
  @Problems('conflict')
  @Operation(
    'Change a connection',
    'Omitted fields do not change. With other `settings` an active connection becomes a draft, to be tested and activated again; unless an owner changes them, those of a connection that is or was active wait for an owner (`waiting`).',
  )
  @Versioned(ConnectionResponse)
  async updateConnection(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @Body() body: UpdateConnectionDto,
    @IfMatch() ifMatch: Precondition,
    @Fetched() fetched: FetchedMetadata | null,
  ) {
    await ifMatch.require(() => this.getConnection({ id, connectionId }));
    const changed = await this.connections.update(id, caller, connectionId, body, fetched);
    return this.show(changed);
  }

  @Post(':connectionId/activate')
  @RequireScopes('iam:connection:activate')
  @AbilitySubject('connectionId')
  @Problems('conflict')
  @Operation('Activate a connection', 'Needs a test sign-in that passed since the settings last changed.')
  @Answers(ConnectionResponse)
  async activateConnection(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
  ) {
    return this.show(await this.statuses.activate(id, caller.userId, connectionId));
  }

  @Post(':connectionId/disable')
  @RequireScopes('iam:connection:update')
  @AbilitySubject('connectionId')
  @Problems('conflict')
  @Operation(
    'Disable a connection',
    'Sign-ins by it are refused, those in progress included. Sessions that began by it go on, or end with `endSessions`, also for other organizations.',
  )
  @Answers(ConnectionResponse)
  async disableConnection(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @Body() { endSessions }: DisableConnectionDto,
  ) {
    const { userId } = caller;
    return this.show(await this.statuses.disable(id, userId, connectionId, endSessions));
  }

  @Delete(':connectionId')
  @RequireScopes('iam:connection:delete')
  @AbilitySubject('connectionId')
  @Problems('conflict')
  @HttpCode(204)
  @Operation('Delete a connection')
  async deleteConnection(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getConnection({ id, connectionId }));
    await this.statuses.delete(id, caller.userId, connectionId);
  }

  private show(connection: ShownConnection): ConnectionResponse {
    return ConnectionResponse.from(connection, this.settings);
  }
}
