import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  Bearer,
  CountsAsRead,
  schemaOf,
  Tag,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { Principal } from '../../kernel/index.js';
import { AbilityService } from '../ability.service.js';
import { ProbeDto } from './dto/probe.dto.js';
import { VerdictResponse } from './probe.response.js';
import { parseSubject } from '../subject.js';

/** Permission check: returns what a command would decide, without acting. */
@Tag('Abilities', 'Permission checks: what the caller may do, and why not.')
@ApiExtraModels(VerdictResponse)
@Controller('api/auth')
export class ProbeController {
  constructor(private readonly abilities: AbilityService) {}

  @Post('can')
  @Bearer('app and satellites')
  @CountsAsRead()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'checkPermissions',
    summary: 'Probe per-entity abilities',
    description:
      'Returns for each scope whether the caller may use it on the subject now, and if not, why. Advisory: the command decides again, by the same rules.',
  })
  @ApiOkResponse({
    schema: { type: 'object', additionalProperties: { $ref: schemaOf(VerdictResponse) } },
    example: { 'iam:invitation:create': { allowed: true } },
  })
  async can(
    @Caller() caller: Principal,
    @Body() { subject: uri, scopes }: ProbeDto,
  ): Promise<Record<string, VerdictResponse>> {
    const subject = uri === undefined ? undefined : parseSubject(uri);
    if (subject === null)
      throw AppError.violation('subject', 'must have the shape <scheme>:///<module>/<collection>/<ulid>');
    const asked = [...new Set(scopes)];
    const decisions = await this.abilities.decide(
      caller,
      asked.map((scope) => (subject ? { scope, subject } : { scope })),
    );
    return Object.fromEntries(asked.map((scope, n) => [scope, decisions[n] ?? { allowed: false }]));
  }
}
