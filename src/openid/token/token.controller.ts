import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  AnyQuery,
  ApiOkResponse,
  ApiOperation,
  integerField,
  Output,
  Public,
  Tag,
  textField,
  wordField,
} from '../../platform/api/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { clientOf, headerValuesOf, parametersOf } from '../../platform/web/index.js';
import { TOKEN_LIMIT } from '../openid.limits.js';
import { OAuthError } from './oauth-error.js';
import { TokenService } from './token.service.js';

/** Token response (RFC 6749 section 5.1). */
class MachineTokenResponse {
  @Output(textField({ max: 8_192, example: 'eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl' }))
  access_token: string;
  @Output(wordField(['Bearer']))
  token_type: 'Bearer';
  @Output(integerField({ min: 1, max: 600, example: 600, description: 'Seconds.' }))
  expires_in: number;
  @Output(textField({ min: 0, max: 100_000, example: 'iam:member:read' }))
  scope: string;
  @Output(textField({ max: 100, example: 'urn:ietf:params:oauth:token-type:access_token' }), {
    required: false,
    description: 'With a token exchange.',
  })
  issued_token_type?: string;
}

const FORM = {
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      properties: {
        grant_type: {
          type: 'string',
          enum: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
        },
        subject_token: { type: 'string', description: 'Token of a trusted issuer, or a key.' },
        subject_token_type: { type: 'string' },
        scope: { type: 'string', description: 'Scopes, separated by spaces. Default: all that it holds.' },
        client_id: { type: 'string' },
        client_assertion_type: { type: 'string' },
        client_assertion: { type: 'string' },
      },
      required: ['grant_type'],
    },
  },
};

/** The token endpoint of OAuth 2.0. */
@Tag('OAuth', 'Tokens for service accounts.')
@Controller('oauth2/token')
export class TokenController {
  constructor(private readonly tokens: TokenService) {}

  @Post()
  @Public('the client authenticates itself')
  @AnyQuery('unknown parameters are ignored (RFC 6749 section 3.2)')
  @StrictLimit(TOKEN_LIMIT)
  @HttpCode(200)
  @ApiOperation({
    operationId: 'issueToken',
    summary: 'Issue an access token',
    description:
      'For service accounts: `client_credentials` with `client_secret_basic` or `private_key_jwt`, or the exchange of a token of a trusted issuer (RFC 8693). Valid for ten minutes. Errors are those of RFC 6749 section 5.2.',
    requestBody: { required: true, content: FORM },
  })
  @ApiOkResponse({ type: MachineTokenResponse })
  async issue(@Req() request: Request, @Res() response: Response): Promise<void> {
    response.setHeader('Pragma', 'no-cache');
    try {
      const authorization = headerValuesOf(request, 'authorization');
      if (authorization.length > 1) throw new OAuthError('invalid_request', 'Send one Authorization header.');
      response.json(
        await this.tokens.issue(parametersOf(request), authorization[0], clientOf(request).ipAddress),
      );
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      if (error.status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Gatehouse"');
      response.status(error.status).json({ error: error.code, error_description: error.description });
    }
  }
}
