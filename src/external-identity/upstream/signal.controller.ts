import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AnyQuery, ApiResponse, EventBody, Operation, Problems, Public } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ConnectionParam } from '../external.dto.js';
import { ExternalSignInTag } from '../external-sign-in-tag.js';
import { UpstreamLogoutService } from './upstream-logout.service.js';

/** Maximum size of a security event token, which the API document states too. */
const MAX_EVENT_BYTES = 16_384;

const TOKEN = {
  'application/secevent+jwt': {
    schema: { type: 'string' as const, maxLength: MAX_EVENT_BYTES, pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$' },
    example: 'eyJ0eXAiOiJzZWNldmVudCtqd3QifQ.eyJpc3MiOiJodHRwczovL2lkcCJ9.c2ln',
  },
};
const FAULT = { err: 'invalid_request', description: 'It is no valid security event token.' };
const ERROR = {
  'application/json': {
    schema: {
      type: 'object' as const,
      required: ['err', 'description'],
      properties: {
        err: { type: 'string' as const, maxLength: 100, pattern: '^[a-z_]+$' },
        description: { type: 'string' as const, maxLength: 200, pattern: '^[\\s\\S]*$' },
      },
    },
    example: FAULT,
  },
};

/** Security events of the provider of a connection by OpenID Connect. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/oidc/signals/:connection')
export class UpstreamSignalController {
  constructor(private readonly logouts: UpstreamLogoutService) {}

  @Post()
  @EventBody(MAX_EVENT_BYTES)
  @Public('the signature of the provider is the proof')
  @AnyQuery('sent by providers')
  @ConnectionParam()
  @Problems('not-found', 'unavailable')
  @ApiResponse({ status: 202, description: 'The event counts, or changes nothing here.' })
  @ApiResponse({ status: 400, description: 'RFC 8935 section 2.4.', content: ERROR })
  @Operation(
    'Receive a security event of a provider',
    'RFC 8935, as a receiver of a provider that speaks the Shared Signals Framework. CAEP `session-revoked` ends the session or the person; RISC `account-disabled`, `account-purged` and the like end all sessions of the person by this connection. Other events change nothing.',
    { required: true, content: TOKEN },
  )
  async receiveSignal(
    @Param('connection') connection: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    try {
      await this.logouts.endBySignal(connection, typeof request.body === 'string' ? request.body : '');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'validation-error') throw error;
      response.status(400).json(FAULT);
      return;
    }
    response.status(202).end();
  }
}
