import { Body, Controller, Delete, Get, HttpCode, Param, Post, UseInterceptors } from '@nestjs/common';
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
import { SingleSignOnTag } from '../connection.declarations.js';
import type { DomainCheck } from './domain-lookup.js';
import { AddDomainDto, DomainResponse } from './domain.dto.js';
import { DomainService } from './domain.service.js';
import { Lookup, LookupInterceptor } from './lookup.interceptor.js';

/** Domains of an organization, which it verifies by a record in the DNS. */
@SingleSignOnTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/domains')
export class DomainController {
  constructor(private readonly domains: DomainService) {}

  @Get()
  @RequireScopes('iam:domain:read')
  @AbilitySubject('id')
  @Paged(DomainResponse)
  @Operation('List domains')
  async listDomains(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.domains.list(id, page), page, DomainResponse.from);
  }

  @Post()
  @RequireScopes('iam:domain:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation('Add a domain', 'Publish the `record` in the DNS of the domain, then verify it.')
  @Creates(DomainResponse, '/api/v1/iam/tenants/:id/domains/{id}')
  async addDomain(@Caller() caller: Principal, @Param() { id }: TenantPath, @Body() { name }: AddDomainDto) {
    return DomainResponse.from(await this.domains.add(id, caller.userId, name));
  }

  @Get(':domainId')
  @RequireScopes('iam:domain:read')
  @AbilitySubject('id')
  @Operation('Get a domain')
  @Versioned(DomainResponse)
  async getDomain(@Param() { id, domainId }: TenantPath<'domainId'>) {
    return DomainResponse.from(await this.domains.get(id, domainId));
  }

  @Post(':domainId/verify')
  @RequireScopes('iam:domain:verify')
  @UseInterceptors(LookupInterceptor)
  @AbilitySubject('domainId')
  @Problems('conflict', 'unavailable')
  @Operation(
    'Verify a domain',
    'Looks the record up. 409 if it is missing, with the records that were found, or if another organization has verified the domain.',
  )
  @Answers(DomainResponse)
  async verifyDomain(
    @Caller() caller: Principal,
    @Param() { id, domainId }: TenantPath<'domainId'>,
    @Lookup() result: DomainCheck,
  ) {
    return DomainResponse.from(await this.domains.verify(id, caller.userId, domainId, result));
  }

  @Delete(':domainId')
  @RequireScopes('iam:domain:delete')
  @AbilitySubject('domainId')
  @HttpCode(204)
  @Operation('Remove a domain that no connection uses')
  async removeDomain(
    @Caller() caller: Principal,
    @Param() { id, domainId }: TenantPath<'domainId'>,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getDomain({ id, domainId }));
    await this.domains.remove(id, caller.userId, domainId);
  }
}
