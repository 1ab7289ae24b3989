import { Controller, Get } from '@nestjs/common';
import { RequireScopes } from '../../ability/index.js';
import {
  AuditEventRepository,
  AuditEventResponse,
  AuditNames,
  AuditTrail,
  OperatorsTag,
} from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import {
  ApiOperation,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  QueryOf,
  toPage,
} from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Caller } from '../../platform/web/index.js';
import { PlatformAuditQuery } from './platform-audit.query.js';

/** The audit trail of the whole platform. */
@OperatorsTag()
@Controller('api/v1/operator/audit-events')
export class PlatformAuditController {
  constructor(
    private readonly events: AuditEventRepository,
    private readonly trail: AuditTrail,
    private readonly names: AuditNames,
  ) {}

  @Get()
  @RequireScopes('platform:audit:read')
  @Paged(AuditEventResponse)
  @ApiOperation({
    operationId: 'listPlatformAuditEvents',
    summary: 'Audit trail of the platform',
    description:
      'Newest first. With several filters, events that match all of them. `action` needs one of `tenantId`, `actorId` and `subject` beside it.',
  })
  async list(
    @Caller() { userId }: Principal,
    @PageOf() page: Page,
    @QueryOf(PlatformAuditQuery) { tenantId, ...filter }: PlatformAuditQuery,
  ): Promise<ItemPage<AuditEventResponse>> {
    const { action, actorId, subject } = filter;
    const isNarrow = [tenantId, actorId, subject].some((value) => value !== undefined);
    if (action !== undefined && !isNarrow)
      throw AppError.violation('action', 'needs one of tenantId, actorId and subject beside it');
    const events =
      tenantId === undefined
        ? await this.events.listOfPlatform(page, filter)
        : await this.events.listOfTenant(tenantId as TenantId, page, filter);
    await this.trail.record({ actorId: userId, action: 'operator.audit-read' });
    const namesOf = await this.names.ofPeople(events);
    return toPage(
      events,
      page,
      ({ id }) => id,
      (event) => AuditEventResponse.from(event, namesOf(event)),
    );
  }
}
