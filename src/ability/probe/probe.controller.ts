import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AppError } from '../../platform/errors/index.js';
import {
  ApiExtraModels,
  ApiOkResponse,
  Bearer,
  CountsAsRead,
  OpenTo,
  Operation,
  Problems,
  schemaOf,
} from '../../platform/api/index.js';
import { DEFAULT_LOCALE, formatMessage, type Locale } from '../../platform/messages/index.js';
import { Caller, CallerLocale } from '../../platform/web/index.js';
import { FIRST_PARTY_CLIENT, type Principal, type UserId } from '../../kernel/index.js';
import { AbilitiesTag } from '../abilities-tag.js';
import { AbilityService } from '../ability.service.js';
import { AbilityRegistry } from '../ability.registry.js';
import { type Decision, deny } from '../decision.js';
import { ProbeDto, VerdictResponse } from './probe.dto.js';
import { TestedMembers } from './tested-members.js';
import { type AbilityCheck, parseSubject } from '../subject.js';

/** Permission check: returns what a command would decide, without acting. */
@AbilitiesTag()
@ApiExtraModels(VerdictResponse)
@Controller('api/auth')
export class ProbeController {
  constructor(
    private readonly abilities: AbilityService,
    private readonly locales: CallerLocale,
    private readonly members: TestedMembers,
    private readonly registry: AbilityRegistry,
  ) {}

  @Post('can')
  @OpenTo('people and machines')
  @Bearer('app and satellites', { impersonation: true })
  @CountsAsRead()
  @HttpCode(200)
  @Operation(
    'Check permissions',
    'Returns for each scope whether the caller may use it on the subject now, and if not, why. Advisory: the command decides again, by the same rules. With `access:decision:read`, `userId` asks what another member may do.',
  )
  @Problems('forbidden')
  @ApiOkResponse({
    schema: { type: 'object', additionalProperties: { $ref: schemaOf(VerdictResponse) } },
    example: { 'iam:invitation:create': { allowed: true } },
  })
  async checkPermissions(
    @Caller() caller: Principal,
    @Body() { subject: uri, scopes, anywhere = false, explain = false, userId }: ProbeDto,
    @Req() request: Request,
  ): Promise<Record<string, VerdictResponse>> {
    const subject = uri === undefined ? undefined : parseSubject(uri);
    if (subject === null)
      throw AppError.violation('subject', 'must have the shape <scheme>:///<module>/<collection>/<ulid>');
    const asked = [...new Set(scopes)];
    const checks = asked.map((scope) => (subject ? { scope, subject } : { scope, anywhere }));
    const tested = userId === undefined ? caller : await this.members.find(caller, userId as UserId);
    const decisions = await this.decide(tested, checks, userId !== undefined);
    const isAllowed = decisions.every(({ allowed }) => allowed);
    const answer = verdicts(asked, decisions, isAllowed ? DEFAULT_LOCALE : await this.locales.find(request));
    const isExplained = explain && caller.clientId === FIRST_PARTY_CLIENT && tested !== null;
    return isExplained ? explained(checks, decisions, answer) : answer;
  }

  /** @param isOther of others, only permissions of the organization are told */
  private async decide(
    tested: Principal | null,
    checks: readonly AbilityCheck[],
    isOther: boolean,
  ): Promise<readonly Decision[]> {
    const isTold = ({ scope }: AbilityCheck): boolean =>
      !isOther || (this.registry.find(scope)?.audience ?? 'tenant') === 'tenant';
    const told = tested === null ? [] : checks.filter(isTold);
    const decisions = tested === null ? [] : await this.abilities.decide(tested, told);
    return checks.map((check) => decisions[told.indexOf(check)] ?? deny('scope_not_held'));
  }
}

/** Adds to what is allowed by which role it is held. */
function explained(
  checks: readonly AbilityCheck[],
  decisions: readonly Decision[],
  answer: Record<string, VerdictResponse>,
): Record<string, VerdictResponse> {
  for (const [n, { scope }] of checks.entries()) {
    const [verdict, decision] = [answer[scope], decisions[n]];
    const by = decision?.allowed === true ? decision.by : undefined;
    if (verdict && by) verdict.by = { role: by.role, on: by.on && `gatehouse:///${by.on}` };
  }
  return answer;
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
