import { Controller, Get, Param } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../ability/index.js';
import {
  Bearer,
  type ItemPage,
  Operation,
  type Page,
  Paged,
  PageOf,
  QueryOf,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { Principal } from '../../kernel/index.js';
import { AuditTag } from './audit.declarations.js';
import { AuditQuery, PeriodQuery } from './audit-query.dto.js';
import { AuditEventResponse } from './audit.dto.js';
import { AuditNames, type NamesOf } from './audit-names.js';
import { type AuditEvent, AuditEventRepository } from './audit-event.repository.js';
import { AuditSearch } from './audit-search.js';

/** Operations to read the audit trail of an organization and of the caller's account. */
@AuditTag()
@Controller('api/v1/iam')
export class AuditController {
  constructor(
    private readonly events: AuditEventRepository,
    private readonly search: AuditSearch,
    private readonly names: AuditNames,
  ) {}

  @Get('tenants/:id/audit-events')
  @RequireScopes('iam:audit:read')
  @AbilitySubject('id')
  @Paged(AuditEventResponse)
  @Operation(
    'List the audit trail of an organization',
    'Newest first. With several filters, events that match all of them. The names are the current ones, or the last ones of what is deleted; the trail stores none.',
  )
  async listOrganizationAuditEvents(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @PageOf() page: Page,
    @QueryOf(AuditQuery) query: AuditQuery,
  ) {
    const people = await this.search.findMembers(id, caller, query);
    const events = await this.events.listOfTenant(id, page, { ...query, people });
    return pageOf(events, page, await this.names.ofTenant(caller, events));
  }

  @Get('me/audit-events')
  @Bearer('app')
  @Paged(AuditEventResponse)
  @Operation('List my audit trail', "Events of the caller's account, newest first.")
  async listMyAuditEvents(
    @Caller() caller: Principal,
    @PageOf() page: Page,
    @QueryOf(PeriodQuery) period: PeriodQuery,
  ) {
    return pageOf(await this.events.listOfAccount(caller.userId, page, period), page);
  }
}

const pageOf = (events: AuditEvent[], page: Page, names?: NamesOf): ItemPage<AuditEventResponse> =>
  toPage(events, page, (event) => AuditEventResponse.from(event, names?.(event)));
