import { Body, Controller, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../../../ability/index.js';
import { Answers, Operation } from '../../../../platform/api/index.js';
import { Caller } from '../../../../platform/web/index.js';
import type { Locked, PersonPrincipal, TenantId } from '../../../../kernel/index.js';
import { LockedTenant } from '../locked-tenant.decorator.js';
import { MembershipResponse } from '../../members/member.dto.js';
import { OrganizationsTag } from '../../organization.declarations.js';
import { TransferOwnershipDto } from '../tenant.dto.js';
import { OwnershipTransferService } from './ownership-transfer.service.js';

/** Transfer of the ownership of organizations. */
@OrganizationsTag()
@Controller('api/v1/iam/tenants/:id/ownership-transfer')
export class OwnershipTransferController {
  constructor(private readonly transfers: OwnershipTransferService) {}

  @Post()
  @RequireScopes('iam:tenant:transfer-ownership')
  @AbilitySubject('id')
  @Operation(
    'Transfer the ownership of an organization',
    'In one step makes a member an owner and takes that role from the caller, who stays a member. Both are told by mail. Other owners keep their role. Returns the new owner.',
  )
  @Answers(MembershipResponse)
  async transferOwnership(
    @Caller() caller: PersonPrincipal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Body() body: TransferOwnershipDto,
  ) {
    return MembershipResponse.from(await this.transfers.transfer(tenantId, caller, body));
  }
}
