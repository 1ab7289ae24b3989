import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiOkResponse, ApiOperation, Bearer, Problems } from '../../platform/api/index.js';
import { Caller, clientOf } from '../../platform/web/index.js';
import type { Principal } from '../../kernel/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { HASH_LIMIT } from '../../iam/index.js';
import { StepUpDto } from './dto/step-up.dto.js';
import { SessionsTag } from '../sessions/sessions-tag.js';
import { StepUpOptionsResponse } from './step-up.response.js';
import { StepUpService } from './step-up.service.js';
import { TenantTokenResponse } from '../tokens/token.response.js';

/** Confirms the person, for routes that require a recent authentication. */
@SessionsTag()
@Bearer('app')
@Controller('api/v1/iam/auth/step-up')
export class StepUpController {
  constructor(private readonly stepUps: StepUpService) {}

  @Post()
  @StrictLimit(HASH_LIMIT)
  @Problems('invalid-credentials')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'stepUp',
    summary: 'Confirm that it is me',
    description:
      'Step-up (RFC 9470): the same session and tenant with a new `auth_time`, which later refreshes keep. Failures count as failed logins. People without a password sign in again by an external provider.',
  })
  @ApiOkResponse({ type: TenantTokenResponse })
  confirm(
    @Caller() caller: Principal,
    @Body() { password }: StepUpDto,
    @Req() request: Request,
  ): Promise<TenantTokenResponse> {
    return this.stepUps.confirmByPassword(caller, password, clientOf(request));
  }

  @Post('options')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'listStepUpMethods',
    summary: 'List my step-up methods',
    description: 'Empty for people who sign in by external providers only: they sign in again.',
  })
  @ApiOkResponse({ type: StepUpOptionsResponse })
  async options(@Caller() caller: Principal): Promise<StepUpOptionsResponse> {
    return { methods: [...(await this.stepUps.getMethods(caller))] };
  }
}
