import { Body, Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { requireAssertion, requireCode } from '../../authenticator/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Answers, Bearer, Operation, Problems } from '../../platform/api/index.js';
import { Caller, type Client, clientOf } from '../../platform/web/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { HASH_LIMIT } from '../../iam/index.js';
import { StepUpDto, StepUpOptionsDto, StepUpOptionsResponse } from './step-up.dto.js';
import { SessionsTag } from '../session.declarations.js';
import type { GrantView } from '../grants/grant.repository.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import { StepUpCodeService } from './step-up-code.service.js';
import { StepUpOptionsService } from './step-up-options.service.js';
import { StepUpService } from './step-up.service.js';
import { TenantTokenResponse } from '../tokens/token.dto.js';

/** Confirms the person, for routes that require a recent authentication. */
@SessionsTag()
@Bearer('app', { ownProof: 'by-handler' })
@Controller('api/v1/iam/auth/step-up')
export class StepUpController {
  constructor(
    private readonly stepUps: StepUpService,
    private readonly codes: StepUpCodeService,
    private readonly choices: StepUpOptionsService,
    private readonly tokens: TokenIssuer,
  ) {}

  @Post()
  @StrictLimit(HASH_LIMIT)
  @Problems('invalid-credentials', 'invalid-second-factor')
  @Operation(
    'Confirm that it is me',
    'Step-up (RFC 9470): the same session and tenant with a new `auth_time` and `acr`, which later refreshes keep. Failures count as failed logins. People without any method sign in again by an external provider.',
  )
  @Answers(TenantTokenResponse)
  async stepUp(@Caller() caller: PersonPrincipal, @Body() body: StepUpDto, @Req() request: Request) {
    const grant = await this.confirmBy(caller, body, clientOf(request));
    return this.tokens.issueAccess(grant, caller.tenantId);
  }

  @Post('options')
  @Operation(
    'List my step-up methods',
    'With `method` `email_code`, mails a code to a person who has that method. Empty for people who sign in by external providers and have no address: they sign in again.',
  )
  @Answers(StepUpOptionsResponse)
  async listStepUpMethods(@Caller() caller: PersonPrincipal, @Body() { method }: StepUpOptionsDto) {
    const { methods, ...passkey } = await this.choices.createOptions(caller, method);
    return { methods: [...methods], ...passkey };
  }

  private confirmBy(caller: PersonPrincipal, body: StepUpDto, client: Client): Promise<GrantView> {
    const { method, password } = body;
    if (method === 'passkey')
      return this.stepUps.confirmByFactor(caller, { method, ...requireAssertion(body) }, client);
    if (method === 'email_code') return this.codes.confirm(caller, requireCode(body, method), client);
    if (method !== 'password')
      return this.stepUps.confirmByFactor(caller, { method, code: requireCode(body, method) }, client);
    if (password === undefined) throw AppError.violation('password', 'is required with this method');
    return this.stepUps.confirmByPassword(caller, password, client);
  }
}
