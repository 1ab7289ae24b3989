import { Controller, Get, Param } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Operation, type Page, Paged, PageOf, toPage } from '../../platform/api/index.js';
import { MachinesTag } from '../machine.declarations.js';
import { ApiKeyService } from './api-key.service.js';
import { EndedApiKeyResponse } from './key.dto.js';

/** Revoked keys of a service account. */
@MachinesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/service-accounts/:accountId/ended-keys')
export class EndedKeyController {
  constructor(private readonly keys: ApiKeyService) {}

  @Get()
  @RequireScopes('iam:api-key:read')
  @AbilitySubject('accountId')
  @Paged(EndedApiKeyResponse)
  @Operation(
    'List revoked keys of a service account',
    'Who ended them, when and why, for a year. The newest key first.',
  )
  async listEndedApiKeys(@Param() { id, accountId }: TenantPath<'accountId'>, @PageOf() page: Page) {
    return toPage(await this.keys.listEnded(id, accountId, page), page, EndedApiKeyResponse.from);
  }
}
