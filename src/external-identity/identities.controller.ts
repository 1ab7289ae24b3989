import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../ability/index.js';
import { MeTag } from '../iam/index.js';
import {
  Answers,
  Bearer,
  Credentialed,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  toPage,
} from '../platform/api/index.js';
import { Creates } from '../iam/index.js';
import { Caller } from '../platform/web/index.js';
import { type PersonPrincipal, SENSITIVE } from '../kernel/index.js';
import {
  ExternalSignInResponse,
  IdentityResponse,
  KindParam,
  LinkDto,
  ListedIdentityResponse,
  RedeemLinkDto,
} from './external.dto.js';
import { StartService } from './flow/start.service.js';
import { IdentityLinkService } from './linking/identity-link.service.js';
import { IdentityService } from './linking/identity.service.js';

/** The caller's external identities. */
@MeTag()
@Bearer('app')
@Controller('api/v1/iam/me/identities')
export class IdentitiesController {
  constructor(
    private readonly identities: IdentityService,
    private readonly links: IdentityLinkService,
    private readonly starts: StartService,
  ) {}

  @Get()
  @Paged(ListedIdentityResponse)
  @Operation('List my external identities')
  async listMyIdentities(@Caller() caller: PersonPrincipal, @PageOf() page: Page) {
    return toPage(await this.identities.list(caller.userId, page), page, ListedIdentityResponse.of);
  }

  @Post(':kind/link')
  @Credentialed()
  @Bearer('app', SENSITIVE)
  @KindParam()
  @Operation(
    'Link an identity to my account',
    'Starts like a sign-in, and ends with `link_code` in the fragment. The same session redeems the code.',
  )
  @Answers(ExternalSignInResponse)
  async linkIdentity(
    @Caller() caller: PersonPrincipal,
    @Param('kind') kind: string,
    @Body() { returnUri }: LinkDto,
  ) {
    return ExternalSignInResponse.from(await this.starts.start(kind, { returnUri }, caller));
  }

  @Post('redeem')
  @Bearer('app and satellites', SENSITIVE)
  @Problems('conflict')
  @Operation(
    'Redeem the code of a linking flow',
    'Links the identity. For the session that started the flow; any other gets 400 on `code`. Single-use, valid for one minute. A `link_code` that came with `account_exists` is for a session of that account that began after it, with `codeVerifier`; it is valid for ten minutes.',
  )
  @Creates(IdentityResponse, '/api/v1/iam/me/identities/{id}')
  async redeemLinkCode(@Caller() caller: PersonPrincipal, @Body() { code, codeVerifier }: RedeemLinkDto) {
    return IdentityResponse.from(await this.links.redeemLink(caller, code, codeVerifier));
  }

  @Delete(':id')
  @RequireScopes('iam:identity:unlink')
  @AbilitySubject('id')
  @HttpCode(204)
  @Operation('Unlink an identity', 'Refused for the only sign-in method of the account.')
  async unlinkIdentity(@Caller() caller: PersonPrincipal, @Param('id') id: string): Promise<void> {
    await this.identities.unlink(caller.userId, id);
  }
}
