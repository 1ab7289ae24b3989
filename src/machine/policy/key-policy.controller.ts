import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../ability/index.js';
import type { Locked, Principal, TenantId } from '../../kernel/index.js';
import { IfMatch, Operation, type Precondition, Versioned } from '../../platform/api/index.js';
import { LockedTenant } from '../../iam/index.js';
import { Caller } from '../../platform/web/index.js';
import { MachinesTag } from '../machine.declarations.js';
import { KeyPolicyDto, KeyPolicyResponse } from './key-policy.dto.js';
import { KeyPolicyService } from './key-policy.service.js';

/** What an organization asks of the keys that act in it. */
@MachinesTag()
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/key-policy')
export class KeyPolicyController {
  constructor(private readonly policies: KeyPolicyService) {}

  @Get()
  @RequireScopes('iam:key-policy:read')
  @Operation('Get the key policy')
  @Versioned(KeyPolicyResponse)
  async getKeyPolicy(@Param() { id }: TenantPath) {
    return KeyPolicyResponse.from(await this.policies.get(id));
  }

  @Put()
  @RequireScopes('iam:key-policy:update')
  @Operation(
    'Set the key policy',
    'Limits the lifetime of new keys, and whether members have keys of their own. Fields that are left out stay as they are.',
  )
  @Versioned(KeyPolicyResponse)
  async setKeyPolicy(
    @Caller() caller: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Body() body: KeyPolicyDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getKeyPolicy({ id: tenantId }));
    return KeyPolicyResponse.from(await this.policies.set(caller, tenantId, body));
  }
}
