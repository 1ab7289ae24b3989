import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../../../ability/index.js';
import { Accepts, Answers, Operation } from '../../../../platform/api/index.js';
import { Caller } from '../../../../platform/web/index.js';
import type { Principal } from '../../../../kernel/index.js';
import { DeleteTenantDto } from '../tenant.dto.js';
import { OrganizationsTag } from '../../organization.declarations.js';
import { TenantDeletionResponse } from './tenant-deletion.dto.js';
import { TenantDeletionService } from './tenant-deletion.service.js';

/** Deletion of organizations. */
@OrganizationsTag()
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/deletion')
export class TenantDeletionController {
  constructor(private readonly deletions: TenantDeletionService) {}

  @Get()
  @RequireScopes('iam:tenant:read-deletion')
  @Operation('Get what a deletion removes, and when')
  @Answers(TenantDeletionResponse)
  async getOrganizationDeletion(@Param() { id }: TenantPath) {
    return TenantDeletionResponse.from(await this.deletions.get(id));
  }

  @Post()
  @RequireScopes('iam:tenant:delete')
  @Operation(
    'Schedule the deletion of an archived organization',
    'Everything in it is removed after a waiting time, for good. Its owners are told by mail. Until then the deletion can be cancelled; a restored organization is not deleted.',
  )
  @Accepts(TenantDeletionResponse)
  async deleteOrganization(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: DeleteTenantDto,
  ) {
    return TenantDeletionResponse.from(await this.deletions.schedule(caller.userId, id, body.name));
  }

  @Delete()
  @RequireScopes('iam:tenant:cancel-deletion')
  @HttpCode(204)
  @Operation('Cancel a scheduled deletion', 'The organization stays archived.')
  async cancelOrganizationDeletion(@Caller() caller: Principal, @Param() { id }: TenantPath): Promise<void> {
    await this.deletions.cancel(caller.userId, id);
  }
}
