import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { PersonPrincipal } from '../../kernel/index.js';
import { Answers, ApiParam, Bearer, Operation, Problems, Public } from '../../platform/api/index.js';
import { authenticationOf, Caller } from '../../platform/web/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { ApproveDto, AuthorizationResponse, RedirectResponse } from './decision.dto.js';
import { DecisionService } from './decision.service.js';

const RequestParam = () =>
  ApiParam({
    name: 'id',
    description: 'Value of `request` in the address of the page.',
    schema: {
      type: 'string',
      maxLength: 100,
      pattern: '^[\\w-]+$',
      examples: ['Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E'],
    },
  });

/** Authorization requests of clients, for the page on which a person decides. */
@OpenIdTag()
@Controller('api/v1/iam/auth/authorizations/:id')
export class DecisionController {
  constructor(private readonly decisions: DecisionService) {}

  @Get()
  @Public('the page shows the client before the person has signed in; the id is random')
  @RequestParam()
  @Problems('not-found')
  @Operation(
    'Get an authorization request',
    'For the page on which a person decides. With a token, `needsConsent` is for that person.',
  )
  @Answers(AuthorizationResponse)
  async getAuthorization(@Param('id') id: string, @Req() request: Request) {
    const { principal } = authenticationOf(request);
    const caller = principal?.kind === 'person' ? principal : null;
    return AuthorizationResponse.from(await this.decisions.present(id, caller));
  }

  @Post('approve')
  @Bearer('app', { ownProof: 'by-handler' })
  @RequestParam()
  @Problems('not-found', 'insufficient-user-authentication', 'not-a-member', 'agent-not-allowed')
  @Operation(
    'Approve an authorization request',
    'Issues a code in the session of the token. Show the scopes first if `needsConsent` is true. The person may have to confirm who they are.',
  )
  @Answers(RedirectResponse)
  async approveAuthorization(
    @Caller() caller: PersonPrincipal,
    @Param('id') id: string,
    @Body() { tenantId }: ApproveDto,
  ) {
    return { redirectTo: await this.decisions.approve(caller, id, tenantId) };
  }

  @Post('deny')
  @Public('a person who has not signed in can deny; the id is random')
  @RequestParam()
  @Problems('not-found')
  @Operation('Deny an authorization request', 'Ends the request. The client learns that it was denied.')
  @Answers(RedirectResponse)
  async denyAuthorization(@Param('id') id: string) {
    return { redirectTo: await this.decisions.deny(id) };
  }
}
