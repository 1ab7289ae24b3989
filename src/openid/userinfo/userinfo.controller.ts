import { Controller, Get, Post } from '@nestjs/common';
import type { PersonPrincipal } from '../../kernel/index.js';
import { Answers, AnyQuery, Bearer, Open, Operation } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { OAuthForm } from '../token/oauth-request.js';
import { UserinfoResponse } from './userinfo.response.js';
import { UserinfoService } from './userinfo.service.js';

/** The userinfo endpoint (OpenID Connect Core section 5.3). */
@OpenIdTag()
@Open()
@Controller('oauth2/userinfo')
export class UserinfoController {
  constructor(private readonly userinfo: UserinfoService) {}

  @Get()
  @Bearer('openid clients')
  @AnyQuery('unknown parameters are ignored (RFC 6749 section 3.1)')
  @Operation('Get the claims about a person', 'By an access token with the scope `openid`.')
  @Answers(UserinfoResponse)
  getUserinfo(@Caller() caller: PersonPrincipal) {
    return this.userinfo.read(caller);
  }

  @Post()
  @OAuthForm()
  @Bearer('openid clients')
  @AnyQuery('unknown parameters are ignored (RFC 6749 section 3.1)')
  @Operation('Get the claims about a person by POST', 'As by GET. The token is in the Authorization header.')
  @Answers(UserinfoResponse)
  getUserinfoByPost(@Caller() caller: PersonPrincipal) {
    return this.userinfo.read(caller);
  }
}
