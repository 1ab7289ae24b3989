import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { OperatorsTag } from '../../iam/index.js';
import type { PersonPrincipal, SessionId, TenantId, UserId } from '../../kernel/index.js';
import { Answers, Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { ImpersonationEnd } from '../../session/index.js';
import { ImpersonationResponse, StartImpersonationDto } from './impersonation.dto.js';
import { ImpersonationStart } from './impersonation-start.service.js';

/** Operators who act as people, where the organization allows it. */
@OperatorsTag()
@Controller('api/v1/operator/impersonations')
export class ImpersonationController {
  constructor(
    private readonly starts: ImpersonationStart,
    private readonly ends: ImpersonationEnd,
  ) {}

  @Post()
  @RequireScopes('platform:impersonation:start')
  @Problems('not-found')
  @Operation(
    'Act as a person',
    'In one organization, which allows it by `supportAccess`, for at most 30 minutes. Credentials, keys, roles, invitations and the like stay closed. The audit trail names both, and the person is mailed afterwards.',
  )
  @Answers(ImpersonationResponse)
  async startImpersonation(
    @Caller() { userId: operatorId, sessionId: operatorSessionId }: PersonPrincipal,
    @Body() { userId, tenantId, reason, ticket }: StartImpersonationDto,
  ) {
    const person = { userId: userId as UserId, tenantId: tenantId as TenantId };
    const asked = { operatorId, operatorSessionId, ...person, reason, ticket: ticket ?? null };
    return ImpersonationResponse.from(await this.starts.start(asked), asked);
  }

  @Delete(':impersonationId')
  @RequireScopes('platform:impersonation:end')
  @AbilitySubject('impersonationId')
  @HttpCode(204)
  @Operation(
    'Stop acting as a person',
    'Effective within a second. The operator can also sign out with the token itself.',
  )
  async endImpersonation(@Param('impersonationId') id: string): Promise<void> {
    await this.ends.end(id as SessionId);
  }
}
