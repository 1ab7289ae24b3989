import { Controller, Get } from '@nestjs/common';
import { RequireScopes } from '../../ability/index.js';
import {
  AuditEventRepository,
  AuditEventResponse,
  AuditNames,
  AuditQuery,
  AuditSearch,
  AuditTrail,
  OperatorsTag,
} from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { Input, Operation, type Page, Paged, PageOf, QueryOf, toPage } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Caller } from '../../platform/web/index.js';

/** Query of the audit trail of the platform. */
export class PlatformAuditQuery extends AuditQuery {
  @Input.ulid({
    optional: true,
    description: 'Lists only events of this organization.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  tenantId?: string;
}

/** The audit trail of the whole platform. */
@OperatorsTag()
@Controller('api/v1/operator/audit-events')
export class PlatformAuditController {
  constructor(
    private readonly events: AuditEventRepository,
    private readonly trail: AuditTrail,
    private readonly search: AuditSearch,
    private readonly names: AuditNames,
  ) {}

  @Get()
  @RequireScopes('platform:audit:read')
  @Paged(AuditEventResponse)
  @Operation(
    'List the audit trail of the platform',
    'Newest first. With several filters, events that match all of them. `action` and `group` need one of `tenantId`, `actorId`, `subject`, `personId` and `query` beside them.',
  )
  async listPlatformAuditEvents(
    @Caller() { userId }: Principal,
    @PageOf() page: Page,
    @QueryOf(PlatformAuditQuery) { tenantId, ...filter }: PlatformAuditQuery,
  ) {
    const { actorId, subject, query, personId, ...others } = filter;
    const isNarrow = [tenantId, actorId, subject, query, personId].some((value) => value !== undefined);
    for (const name of ['action', 'group'] as const)
      if (others[name] !== undefined && !isNarrow)
        throw AppError.violation(
          name,
          'needs one of tenantId, actorId, subject, personId and query beside it',
        );
    const people = await this.search.findPeople(filter);
    const events =
      tenantId === undefined
        ? await this.events.listOfPlatform(page, { ...filter, people })
        : await this.events.listOfTenant(tenantId as TenantId, page, { ...filter, people });
    await this.trail.record({ actorId: userId, action: 'operator.audit-read' });
    const namesOf = await this.names.ofPlatform(events);
    return toPage(events, page, (event) => AuditEventResponse.from(event, namesOf(event)));
  }
}
