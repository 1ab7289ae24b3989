import { Body, Controller, Get, Param, Patch, Post, UseInterceptors } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { ClientIdParam } from '../../client/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  Answers,
  IfMatch,
  LargeBody,
  Operation,
  type Precondition,
  Problems,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { MadeKey, NewKeyInterceptor } from '../keys/new-key.interceptor.js';
import type { NewKey } from '../keys/provider-keys.js';
import { SamlAppsTag } from '../saml-provider-tag.js';
import { SamlClientResponses } from './saml-client-responses.js';
import {
  MAX_METADATA_BODY_BYTES,
  RegisterPlatformSamlClientDto,
  RegisterSamlClientDto,
  SamlClientResponse,
  UpdateSamlClientDto,
} from './saml-client.dto.js';
import { SamlClientService } from './saml-client.service.js';

/** Lets operators register apps of the platform by SAML, and change all apps by SAML. */
@SamlAppsTag()
@Controller('api/v1/iam/saml-clients')
export class SamlClientController {
  constructor(
    private readonly clients: SamlClientService,
    private readonly responses: SamlClientResponses,
  ) {}

  @Post()
  @LargeBody(MAX_METADATA_BODY_BYTES)
  @RequireScopes('iam:satellite:create')
  @UseInterceptors(NewKeyInterceptor)
  @Problems('conflict')
  @Operation(
    'Register an app of the platform that speaks SAML',
    'By its metadata, or by entity id and consumers. People of all organizations can sign in to it. It is listed, renamed, disabled and enabled as a satellite.',
  )
  @Creates(SamlClientResponse, '/api/v1/iam/saml-clients/{clientId}')
  async registerSamlClient(
    @Caller() { userId }: Principal,
    @Body() body: RegisterPlatformSamlClientDto,
    @MadeKey() key: NewKey,
  ) {
    return this.responses.of(await this.clients.registerForPlatform(userId, body, key));
  }

  @Get(':clientId')
  @RequireScopes('iam:satellite:read')
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Operation('Get an app of the platform that speaks SAML')
  @Versioned(SamlClientResponse)
  async getSamlClient(@Param('clientId') clientId: string) {
    return this.responses.of(await this.clients.get(null, clientId));
  }

  @Patch(':clientId')
  @LargeBody(MAX_METADATA_BODY_BYTES)
  @RequireScopes('iam:satellite:update')
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Operation(
    'Change an app of the platform that speaks SAML',
    'Omitted fields do not change. `metadata` replaces all that it says.',
  )
  @Versioned(SamlClientResponse)
  async updateSamlClient(
    @Caller() { userId }: Principal,
    @Param('clientId') clientId: string,
    @Body() body: UpdateSamlClientDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getSamlClient(clientId));
    return this.responses.of(await this.clients.update(null, userId, clientId, body));
  }

  @Post(':clientId/rotate-key')
  @RequireScopes('iam:satellite:update')
  @UseInterceptors(NewKeyInterceptor)
  @AbilitySubject('clientId')
  @ClientIdParam()
  @Problems('conflict')
  @Operation(
    'Add a signing key of this service for an app of the platform that speaks SAML',
    'It is in the metadata at once, and signs after 30 days. Import the metadata at the app until then. 409 while another one waits.',
  )
  @Answers(SamlClientResponse)
  async rotateSamlClientKey(
    @Caller() { userId }: Principal,
    @Param('clientId') clientId: string,
    @MadeKey() key: NewKey,
  ) {
    return this.responses.of(await this.clients.rotateKey(null, userId, clientId, key));
  }
}

/** Apps by SAML to which the members of one organization sign in. */
@SamlAppsTag()
@TenantParam('id')
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/saml-clients')
export class TenantSamlClientController {
  constructor(
    private readonly clients: SamlClientService,
    private readonly responses: SamlClientResponses,
  ) {}

  @Post()
  @LargeBody(MAX_METADATA_BODY_BYTES)
  @RequireScopes('iam:client:create')
  @UseInterceptors(NewKeyInterceptor)
  @Problems('conflict')
  @Operation(
    'Register an app of an organization that speaks SAML',
    'By its metadata, or by entity id and consumers. Only members of the organization can sign in to it. It is a client of the organization, which lists, renames and deletes it.',
  )
  @Creates(SamlClientResponse, '/api/v1/iam/tenants/:id/saml-clients/{clientId}')
  async registerTenantSamlClient(
    @Caller() { userId }: Principal,
    @Param() { id }: TenantPath,
    @Body() body: RegisterSamlClientDto,
    @MadeKey() key: NewKey,
  ) {
    return this.responses.of(await this.clients.register(id, userId, body, key));
  }

  @Get(':clientId')
  @RequireScopes('iam:client:read')
  @ClientIdParam()
  @Operation('Get an app that speaks SAML')
  @Versioned(SamlClientResponse)
  async getTenantSamlClient(@Param() { id, clientId }: TenantPath<'clientId'>) {
    return this.responses.of(await this.clients.get(id, clientId));
  }

  @Patch(':clientId')
  @LargeBody(MAX_METADATA_BODY_BYTES)
  @RequireScopes('iam:client:update')
  @ClientIdParam()
  @Operation(
    'Change an app that speaks SAML',
    'Omitted fields do not change. `metadata` replaces all that it says.',
  )
  @Versioned(SamlClientResponse)
  async updateTenantSamlClient(
    @Caller() { userId }: Principal,
    @Param() { id, clientId }: TenantPath<'clientId'>,
    @Body() body: UpdateSamlClientDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getTenantSamlClient({ id, clientId }));
    return this.responses.of(await this.clients.update(id, userId, clientId, body));
  }

  @Post(':clientId/rotate-key')
  @RequireScopes('iam:client:rotate-secret')
  @UseInterceptors(NewKeyInterceptor)
  @ClientIdParam()
  @Problems('conflict')
  @Operation(
    'Add a signing key of this service for an app that speaks SAML',
    'It is in the metadata at once, and signs after 30 days. Import the metadata at the app until then. 409 while another one waits.',
  )
  @Answers(SamlClientResponse)
  async rotateTenantSamlClientKey(
    @Caller() { userId }: Principal,
    @Param() { id, clientId }: TenantPath<'clientId'>,
    @MadeKey() key: NewKey,
  ) {
    return this.responses.of(await this.clients.rotateKey(id, userId, clientId, key));
  }
}
