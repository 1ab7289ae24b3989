import { Controller, Get, Header, Inject, Param } from '@nestjs/common';
import { ClientIdParam } from '../../client/index.js';
import {
  AnyQuery,
  ApiOkResponse,
  BrowserRoute,
  Operation,
  Problems,
  Public,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { addressesFor } from '../clients/provider-addresses.js';
import { SamlClientService } from '../clients/saml-client.service.js';
import { ProviderKeys } from '../keys/provider-keys.js';
import { SamlAppsTag } from '../saml-provider-tag.js';
import { idpMetadata } from './idp-metadata.js';

/** Metadata of this service for apps. */
@SamlAppsTag()
@Controller('api/iam/saml/:clientId/metadata')
export class IdpMetadataController {
  constructor(
    private readonly clients: SamlClientService,
    private readonly keys: ProviderKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @Public('for administrators of apps, and their software')
  @AnyQuery('fetched by apps')
  @BrowserRoute()
  @ClientIdParam()
  @Problems('not-found')
  @Header('Content-Type', 'application/samlmetadata+xml; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=300')
  @Operation(
    'Get the SAML metadata of this service for an app',
    'Entity id, addresses and signing certificates, for import at the app. A certificate that will sign later is in it. 404 for an unknown or disabled app.',
  )
  @ApiOkResponse({
    description: 'The metadata.',
    content: {
      'application/samlmetadata+xml': {
        schema: { type: 'string', pattern: '^<\\?xml', maxLength: 20_000 },
        example: '<?xml version="1.0"?>\n<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>',
      },
    },
  })
  async getSamlProviderMetadata(@Param('clientId') clientId: string): Promise<string> {
    const found = (await this.clients.findEnabled(clientId)) ?? AppError.notFound();
    const certificates = (await this.keys.list(clientId)).map(({ certificate }) => certificate);
    return idpMetadata(addressesFor(this.settings.PUBLIC_URL, clientId), found.settings, certificates);
  }
}
