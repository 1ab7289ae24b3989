import { Body, Controller, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam } from '../../ability/index.js';
import { ClientIdParam } from '../../client/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import {
  ApiOkResponse,
  ApiOperation,
  IfMatch,
  LargeBody,
  type Precondition,
  Problems,
  Versioned,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Caller } from '../../platform/web/index.js';
import { ProviderKeys } from '../keys/provider-keys.js';
import { SamlAppsTag } from '../saml-provider-tag.js';
import { RegisterSamlClientDto, UpdateSamlClientDto } from './dto/saml-client.dto.js';
import { addressesFor } from './provider-addresses.js';
import type { SamlClient } from './saml-client.js';
import { SamlClientResponse } from './saml-client.response.js';
import { SamlClientService } from './saml-client.service.js';

/** Metadata of an app, as a text in JSON. */
const MAX_BODY_BYTES = 131_072;

/** Apps by SAML to which the members of one organization sign in. */
@SamlAppsTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/saml-clients')
export class TenantSamlClientController {
  constructor(
    private readonly clients: SamlClientService,
    private readonly keys: ProviderKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post()
  @LargeBody(MAX_BODY_BYTES)
  @RequireScopes('iam:client:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'registerTenantSamlClient',
    summary: 'Register an app of an organization that speaks SAML',
    description:
      'By its metadata, or by entity id and consumers. Only members of the organization can sign in to it. It is a client of the organization, which lists, renames and deletes it.',
  })
  @Creates(SamlClientResponse, '/api/v1/iam/tenants/:id/saml-clients/{clientId}')
  async register(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Body() body: RegisterSamlClientDto,
  ): Promise<SamlClientResponse> {
    return this.responseOf(await this.clients.register(id as TenantId, userId, body));
  }

  @Get(':clientId')
  @RequireScopes('iam:client:read')
  @AbilitySubject('id')
  @ClientIdParam()
  @ApiOperation({ operationId: 'getTenantSamlClient', summary: 'Get an app that speaks SAML' })
  @Versioned(SamlClientResponse)
  async read(@Param('id') id: string, @Param('clientId') clientId: string): Promise<SamlClientResponse> {
    return this.responseOf(await this.clients.get(id as TenantId, clientId));
  }

  @Patch(':clientId')
  @LargeBody(MAX_BODY_BYTES)
  @RequireScopes('iam:client:update')
  @AbilitySubject('id')
  @ClientIdParam()
  @ApiOperation({
    operationId: 'updateTenantSamlClient',
    summary: 'Change an app that speaks SAML',
    description: 'Omitted fields do not change. `metadata` replaces all that it says.',
  })
  @Versioned(SamlClientResponse)
  async update(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('clientId') clientId: string,
    @Body() body: UpdateSamlClientDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<SamlClientResponse> {
    await ifMatch.require(() => this.read(id, clientId));
    return this.responseOf(await this.clients.update(id as TenantId, userId, clientId, body));
  }

  @Post(':clientId/rotate-key')
  @RequireScopes('iam:client:rotate-secret')
  @AbilitySubject('id')
  @ClientIdParam()
  @HttpCode(200)
  @Problems('conflict')
  @ApiOperation({
    operationId: 'rotateTenantSamlClientKey',
    summary: 'Add a signing key of this service for an app that speaks SAML',
    description:
      'It is in the metadata at once, and signs after 30 days. Import the metadata at the app until then. 409 while another one waits.',
  })
  @ApiOkResponse({ type: SamlClientResponse })
  async rotateKey(
    @Caller() { userId }: Principal,
    @Param('id') id: string,
    @Param('clientId') clientId: string,
  ): Promise<SamlClientResponse> {
    return this.responseOf(await this.clients.rotateKey(id as TenantId, userId, clientId));
  }

  private async responseOf(app: SamlClient): Promise<SamlClientResponse> {
    const { clientId } = app.client;
    const addresses = addressesFor(this.settings.PUBLIC_URL, clientId);
    return SamlClientResponse.from(app, addresses, await this.keys.list(clientId));
  }
}
