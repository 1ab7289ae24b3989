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
import {
  Answers,
  ApiCreatedResponse,
  ApiParam,
  IfMatch,
  Operation,
  type Precondition,
  Problems,
  Versioned,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { AddedCertificateResponse, SHA256_PARAMETER } from '../connections/certificate.fields.js';
import type { ShownConnection } from '../connections/connection.service.js';
import { AddCertificateDto } from '../connections/connection.dto.js';
import { Fetched, type FetchedMetadata, MetadataInterceptor } from '../metadata/metadata.interceptor.js';
import { SetupTag } from '../connection.declarations.js';
import { CreateSetupConnectionDto, SetupConnectionResponse, UpdateSetupConnectionDto } from './setup.dto.js';
import { BySetupLink, UsedLink } from './setup-access.js';
import type { UsedSetupLink } from './setup-links.js';
import { SetupService } from './setup.service.js';

/** The one connection of a set-up link. It is activated by the organization's own people alone. */
@SetupTag()
@Controller('api/v1/iam/setup/connection')
export class SetupConnectionController {
  constructor(
    private readonly setup: SetupService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post()
  @BySetupLink('sso')
  @UseInterceptors(MetadataInterceptor)
  @Problems('conflict')
  @Operation(
    'Create the connection of a set-up link',
    'A draft, which the organization activates. 409 if the link has one. `settings` as in `createConnection`.',
  )
  @ApiCreatedResponse({ type: SetupConnectionResponse })
  async createSetupConnection(
    @UsedLink() link: UsedSetupLink,
    @Body() body: CreateSetupConnectionDto,
    @Fetched() fetched: FetchedMetadata | null,
  ): Promise<SetupConnectionResponse> {
    return this.show(await this.setup.createConnection(link, body, fetched));
  }

  @Get()
  @BySetupLink('sso', 'certificate')
  @Problems('not-found')
  @Operation('Get the connection of a set-up link', '404 until the link has created one.')
  @Versioned(SetupConnectionResponse)
  async getSetupConnection(@UsedLink() link: UsedSetupLink) {
    const connection = (await this.setup.findConnection(link)) ?? AppError.notFound();
    return this.show(connection);
  }

  @Patch()
  @BySetupLink('sso')
  @UseInterceptors(MetadataInterceptor)
  @Problems('not-found', 'conflict')
  @Operation(
    'Change the connection of a set-up link',
    'Omitted fields do not change. Other `settings` of a connection that is or was active wait for an owner. 409 for its `domainIds`.',
  )
  @Versioned(SetupConnectionResponse)
  async updateSetupConnection(
    @UsedLink() link: UsedSetupLink,
    @Body() body: UpdateSetupConnectionDto,
    @Fetched() fetched: FetchedMetadata | null,
    @IfMatch() ifMatch: Precondition,
  ) {
    const check = (current: ShownConnection) => ifMatch.require(async () => this.show(current));
    return this.show(await this.setup.updateConnection(link, body, fetched, check));
  }

  @Post('certificates')
  @BySetupLink('certificate')
  @Problems('not-found', 'conflict')
  @Operation(
    'Add a certificate by a set-up link',
    'For a rollover: earlier certificates stay accepted. At a connection that is or was active it waits for an owner.',
  )
  @ApiCreatedResponse({ type: AddedCertificateResponse })
  async addSetupCertificate(
    @UsedLink() link: UsedSetupLink,
    @Body() { certificate }: AddCertificateDto,
  ): Promise<AddedCertificateResponse> {
    return AddedCertificateResponse.of(await this.setup.addCertificate(link, certificate));
  }

  @Delete('certificates/:sha256')
  @ApiParam(SHA256_PARAMETER)
  @BySetupLink('certificate')
  @Problems('conflict')
  @HttpCode(204)
  @Operation(
    'Delete a certificate by a set-up link',
    'Signatures by it are refused at once. The only one cannot be deleted.',
  )
  async deleteSetupCertificate(
    @UsedLink() link: UsedSetupLink,
    @Param('sha256') sha256: string,
  ): Promise<void> {
    await this.setup.deleteCertificate(link, sha256);
  }

  @Post('refresh-metadata')
  @BySetupLink('certificate')
  @UseInterceptors(MetadataInterceptor)
  @Problems('not-found', 'conflict', 'unavailable')
  @Operation(
    'Refresh the metadata by a set-up link',
    'Reads the certificates at `metadataUrl` now. 409 if the metadata is of another entity, or has none of the known certificates.',
  )
  @Answers(SetupConnectionResponse)
  async refreshSetupMetadata(@UsedLink() link: UsedSetupLink, @Fetched() fetched: FetchedMetadata | null) {
    return this.show(await this.setup.refreshMetadata(link, fetched));
  }

  private show(connection: ShownConnection): SetupConnectionResponse {
    return SetupConnectionResponse.of(connection, this.settings);
  }
}
