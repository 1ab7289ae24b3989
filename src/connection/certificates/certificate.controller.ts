import { Body, Controller, Delete, HttpCode, Inject, Param, Post, UseInterceptors } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, ApiCreatedResponse, ApiParam, Operation, Problems } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Caller } from '../../platform/web/index.js';
import { SingleSignOnTag } from '../connection.declarations.js';
import { AddedCertificateResponse, SHA256_PARAMETER } from '../connections/certificate.fields.js';
import { AddCertificateDto } from '../connections/connection.dto.js';
import { ConnectionResponse } from '../connections/connection.response.js';
import { ConnectionService } from '../connections/connection.service.js';
import { Fetched, type FetchedMetadata, MetadataInterceptor } from '../metadata/metadata.interceptor.js';
import { MetadataUpdate } from '../metadata/metadata-update.js';
import { CertificateService } from './certificate.service.js';

/** Certificates of a connection by SAML, by hand and from the metadata of the provider. */
@SingleSignOnTag()
@TenantParam('id')
@AbilitySubject('connectionId')
@Controller('api/v1/iam/tenants/:id/connections/:connectionId')
export class CertificateController {
  constructor(
    private readonly certificates: CertificateService,
    private readonly metadata: MetadataUpdate,
    private readonly connections: ConnectionService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post('certificates')
  @RequireScopes('iam:connection:update')
  @Problems('conflict')
  @Operation(
    'Add a certificate',
    'For a rollover: the provider may sign by the new and the earlier certificates. Needs no new test. At a connection that is or was active it waits for an owner, unless an owner adds it.',
  )
  @ApiCreatedResponse({ type: AddedCertificateResponse })
  async addConnectionCertificate(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @Body() { certificate }: AddCertificateDto,
  ): Promise<AddedCertificateResponse> {
    return AddedCertificateResponse.of(await this.certificates.add(id, caller, connectionId, certificate));
  }

  @Delete('certificates/:sha256')
  @ApiParam(SHA256_PARAMETER)
  @RequireScopes('iam:connection:update')
  @Problems('conflict')
  @HttpCode(204)
  @Operation('Delete a certificate', 'Signatures by it are refused at once. The only one cannot be deleted.')
  async deleteConnectionCertificate(
    @Caller() caller: Principal,
    @Param() { id, connectionId, sha256 }: TenantPath<'connectionId' | 'sha256'>,
  ): Promise<void> {
    await this.certificates.delete(id, caller, connectionId, sha256);
  }

  @Post('refresh-metadata')
  @RequireScopes('iam:connection:update')
  @UseInterceptors(MetadataInterceptor)
  @Problems('conflict', 'unavailable')
  @Operation(
    'Refresh the metadata of a connection',
    'Reads the certificates at `metadataUrl` now; it happens daily too. 409 if the metadata is of another entity, or has none of the known certificates: then add one of its certificates first.',
  )
  @Answers(ConnectionResponse)
  async refreshConnectionMetadata(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @Fetched() fetched: FetchedMetadata | null,
  ) {
    await this.metadata.apply(id, connectionId, fetched, caller);
    return ConnectionResponse.from(await this.connections.get(id, connectionId), this.settings);
  }
}
