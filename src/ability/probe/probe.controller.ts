import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../platform/errors/index.js';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  Bearer,
  CountsAsRead,
  OpenTo,
  schemaOf,
} from '../../platform/api/index.js';
import { DEFAULT_LOCALE, formatMessage, type Locale } from '../../platform/messages/index.js';
import { Caller, CallerLocale } from '../../platform/web/index.js';
import type { Principal } from '../../kernel/index.js';
import { AbilitiesTag } from '../abilities-tag.js';
import { type AbilityCheck, AbilityService } from '../ability.service.js';
import type { Decision } from '../decision.js';
import { ProbeDto } from './dto/probe.dto.js';
import { VerdictResponse } from './probe.response.js';
import { parseSubject } from '../subject.js';

/** Permission check: returns what a command would decide, without acting. */
@AbilitiesTag()
@ApiExtraModels(VerdictResponse)
@Controller('api/auth')
export class ProbeController {
  constructor(
    private readonly abilities: AbilityService,
    private readonly locales: CallerLocale,
  ) {}

  @Post('can')
  @OpenTo('people and machines')
  @Bearer('app and satellites', { impersonation: true })
  @CountsAsRead()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'checkPermissions',
    summary: 'Check permissions',
    description:
      'Returns for each scope whether the caller may use it on the subject now, and if not, why. Advisory: the command decides again, by the same rules.',
  })
  @ApiOkResponse({
    schema: { type: 'object', additionalProperties: { $ref: schemaOf(VerdictResponse) } },
    example: { 'iam:invitation:create': { allowed: true } },
  })
  async can(
    @Caller() caller: Principal,
    @Body() { subject: uri, scopes, anywhere = false, explain = false }: ProbeDto,
    @Req() request: Request,
  ): Promise<Record<string, VerdictResponse>> {
    const subject = uri === undefined ? undefined : parseSubject(uri);
    if (subject === null)
      throw AppError.violation('subject', 'must have the shape <scheme>:///<module>/<collection>/<ulid>');
    const asked = [...new Set(scopes)];
    const checks = asked.map((scope) => (subject ? { scope, subject } : { scope, anywhere }));
    const decisions = await this.abilities.decide(caller, checks);
    const isAllowed = decisions.every(({ allowed }) => allowed);
    const answer = verdicts(asked, decisions, isAllowed ? DEFAULT_LOCALE : await this.locales.find(request));
    return explain ? this.explained(caller, checks, answer) : answer;
  }

  /** Adds to what is allowed by which role it is held. */
  private async explained(
    caller: Principal,
    checks: readonly AbilityCheck[],
    answer: Record<string, VerdictResponse>,
  ): Promise<Record<string, VerdictResponse>> {
    for (const check of checks) {
      const verdict = answer[check.scope];
      const by = verdict?.allowed === true ? await this.abilities.explain(caller, check) : null;
      if (verdict && by) verdict.by = { role: by.role, on: by.on && `gatehouse:///${by.on}` };
    }
    return answer;
  }
}

function verdicts(
  scopes: readonly string[],
  decisions: readonly Decision[],
  locale: Locale,
): Record<string, VerdictResponse> {
  const verdictOf = (decision: Decision | undefined): VerdictResponse =>
    !decision || decision.allowed
      ? { allowed: decision !== undefined }
      : { allowed: false, code: decision.code, reason: formatMessage(decision.reason, locale) };
  return Object.fromEntries(scopes.map((scope, n) => [scope, verdictOf(decisions[n])]));
}
