import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../kernel/index.js';
import {
  Answers,
  ApiExtraModels,
  ApiOkResponse,
  Bearer,
  CountsAsRead,
  OpenTo,
  Operation,
  schemaOf,
} from '../../platform/api/index.js';
import { Caller, CallerLocale } from '../../platform/web/index.js';
import { AbilitiesTag } from '../../ability/index.js';
import { EvaluationDto, EvaluationResponse, EvaluationsDto, EvaluationsResponse } from './evaluation.dto.js';
import { EvaluationService } from './evaluation.service.js';
import {
  ResourceSearchDto,
  ResourceSearchResponse,
  SubjectSearchDto,
  SubjectSearchResponse,
} from './search.dto.js';
import { SearchService } from './search.service.js';

/** Id of a request, which the answer repeats (AuthZEN 1.0 section 10.1.3). */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Permission check by AuthZEN 1.0, for gateways and other points of enforcement. */
@AbilitiesTag()
@ApiExtraModels(EvaluationResponse, EvaluationsResponse)
@Controller('access/v1')
export class AuthzenController {
  constructor(
    private readonly evaluations: EvaluationService,
    private readonly searches: SearchService,
    private readonly locales: CallerLocale,
  ) {}

  @Post('evaluation')
  @OpenTo('people and machines')
  @Bearer('app and satellites', { impersonation: true })
  @CountsAsRead()
  @Operation(
    'Evaluate an access',
    'AuthZEN 1.0. The subject is the caller, the action a scope, and the resource an entity. Decides as `POST /api/auth/can` and the command do; a denial has `code` and `reason` in its context. Service accounts with `access:decision:read` ask about members of their organization too.',
  )
  @HttpCode(200)
  @ApiOkResponse({ type: EvaluationResponse })
  async evaluateAccess(
    @Caller() caller: Principal,
    @Body() body: EvaluationDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EvaluationResponse | undefined> {
    const [answer] = await this.answer(caller, body, request, response);
    return answer;
  }

  @Post('evaluations')
  @OpenTo('people and machines')
  @Bearer('app and satellites', { impersonation: true })
  @CountsAsRead()
  @HttpCode(200)
  @Operation(
    'Evaluate several accesses',
    'AuthZEN 1.0. Subject, action and resource of the request stand for those that an evaluation leaves out. `evaluations_semantic` says when to stop. Without `evaluations`, as one evaluation.',
  )
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: schemaOf(EvaluationsResponse) }, { $ref: schemaOf(EvaluationResponse) }] },
  })
  async evaluateAccesses(
    @Caller() caller: Principal,
    @Body() body: EvaluationsDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<EvaluationsResponse | EvaluationResponse | undefined> {
    const answers = await this.answer(caller, body, request, response);
    return (body.evaluations?.length ?? 0) === 0 ? answers[0] : { evaluations: answers };
  }

  @Post('search/resource')
  @OpenTo('people and machines')
  @Bearer('app and satellites', { impersonation: true })
  @CountsAsRead()
  @Operation(
    'Search what the caller may act on',
    'AuthZEN 1.0. Lists the entities of a collection on which the caller may use a scope now, in order of id. Pages may be shorter than their limit; the one without `next_token` is the last.',
  )
  @Answers(ResourceSearchResponse)
  searchResources(@Caller() caller: Principal, @Body() body: ResourceSearchDto) {
    return this.searches.findResources(caller, body);
  }

  @Post('search/subject')
  @OpenTo('people and machines')
  @Bearer('app')
  @CountsAsRead()
  @Operation(
    'Search who may act on something',
    'AuthZEN 1.0. Lists the members who may use a scope on a resource now, in order of id, for service accounts with `access:decision:read`, and of the platform with `platform:decision:read` and `context.tenantId`. Pages are as in the search for resources.',
  )
  @Answers(SubjectSearchResponse)
  searchSubjects(@Caller() caller: Principal, @Body() body: SubjectSearchDto) {
    return this.searches.findSubjects(caller, body);
  }

  private async answer(
    caller: Principal,
    body: EvaluationsDto,
    request: Request,
    response: Response,
  ): Promise<EvaluationResponse[]> {
    const answers = await this.evaluations.evaluate(caller, body, () => this.locales.find(request));
    const id = request.headers['x-request-id'];
    if (typeof id === 'string' && REQUEST_ID.test(id)) response.setHeader('X-Request-Id', id);
    return answers;
  }
}
