import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../ability/index.js';
import { AuditTag, LockedTenant } from '../../iam/index.js';
import type { Locked, Principal, TenantId } from '../../kernel/index.js';
import { Answers, Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { AuditRetentionResponse, SetAuditRetentionDto } from './audit-retention.dto.js';
import { AuditRetentionService } from './audit-retention.service.js';

/** For how long an organization keeps its audit trail. */
@AuditTag()
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/audit-retention')
export class AuditRetentionController {
  constructor(private readonly retention: AuditRetentionService) {}

  @Get()
  @RequireScopes('iam:audit:read')
  @Operation('Get how long the audit trail is kept')
  @Answers(AuditRetentionResponse)
  async getAuditRetention(@Param() { id }: TenantPath) {
    return AuditRetentionResponse.from(await this.retention.get(id));
  }

  @Put()
  @RequireScopes('iam:tenant:set-audit-retention')
  @Problems('retention-too-short')
  @Operation(
    'Set for how long the audit trail is kept',
    'Events are removed up to an anchor of the chain, within two days of the end of their retention, or with the partition of their month. The chain then starts there, as the service signs.',
  )
  @Answers(AuditRetentionResponse)
  async setAuditRetention(
    @Caller() { userId }: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Body() { days }: SetAuditRetentionDto,
  ) {
    return AuditRetentionResponse.from(await this.retention.set(userId, tenantId, days));
  }
}
