import { applyDecorators, Controller, Get, Header, Param } from '@nestjs/common';
import {
  AnyQuery,
  ApiOkResponse,
  BrowserRoute,
  Operation,
  Problems,
  Public,
} from '../../../platform/api/index.js';
import { ConnectionDirectory } from '../../../connection/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { ConnectionParam } from '../../external.dto.js';
import { ExternalSignInTag } from '../../external-identity.declarations.js';
import { ProviderRegistry } from '../provider.registry.js';
import { SamlStrategy } from './saml.strategy.js';

const METADATA = { type: 'string', pattern: '^<\\?xml', maxLength: 20_000 };

const Metadata = () =>
  applyDecorators(
    Public('for administrators of identity providers'),
    AnyQuery('fetched by identity providers'),
    BrowserRoute(),
    Problems('not-found'),
    Header('Content-Type', 'application/samlmetadata+xml; charset=utf-8'),
    Header('Cache-Control', 'public, max-age=300'),
    ApiOkResponse({
      description: 'The metadata.',
      content: {
        'application/samlmetadata+xml': {
          schema: METADATA,
          example: '<?xml version="1.0"?>\n<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>',
        },
      },
    }),
  );

/** Metadata of this service for identity providers. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/saml/metadata')
export class SamlMetadataController {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly saml: SamlStrategy,
    private readonly connections: ConnectionDirectory,
  ) {}

  @Get()
  @Operation(
    'Get the SAML metadata',
    'Entity ID, assertion consumer service and signing certificate, for import at an identity provider. 404 if SAML is not configured.',
  )
  @Metadata()
  getSamlMetadata(): Promise<string> {
    this.providers.get('saml'); // 404 if it is not configured
    return this.saml.metadata();
  }

  @Get(':connection')
  @ConnectionParam()
  @Operation(
    'Get the SAML metadata of a connection',
    "As the deployment's own, for a connection of an organization, in any of its states.",
  )
  @Metadata()
  async getSamlMetadataOfConnection(@Param('connection') id: string): Promise<string> {
    const connection = await this.connections.find(id);
    if (connection?.kind !== 'saml') throw new AppError('not-found');
    return this.saml.metadata(connection);
  }
}
