import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ErrorPages, HTML_PAGE } from '../web/index.js';
import { Public } from './access.decorator.js';
import { ApiOkResponse, ApiParam } from './swagger/described.js';
import { AppError, type ErrorCode, errorCodes, findErrorRow } from '../errors/index.js';
import { DocumentationTag, Operation } from './documentation.decorator.js';

/** Serves the page that the `type` of a problem links to (RFC 9457 section 3.1.1). */
@DocumentationTag()
@Controller('errors')
export class ErrorsController {
  constructor(private readonly pages: ErrorPages) {}

  @Get(':code')
  @Public('explains an error to the developer or user who received it')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Operation('Explain an error', 'Page that the `type` of a problem links to.')
  @ApiParam({
    name: 'code',
    description: 'Last segment of `type`.',
    // Read when the document is built: modules above declare their errors later than this file.
    get enum() {
      return errorCodes();
    },
  })
  @ApiOkResponse({
    content: { 'text/html': { schema: HTML_PAGE, example: '<!doctype html>\n<html lang="en">' } },
    headers: {
      'Content-Security-Policy': {
        description: 'Allows the style of the page, and the script that applies a chosen theme.',
        required: true,
        schema: { type: 'string', pattern: "^default-src 'none'; ", maxLength: 1_000 },
        example: "default-src 'none'; style-src 'sha256-…'",
      },
    },
  })
  explainError(@Param('code') code: string, @Res() response: Response): void {
    if (!findErrorRow(code)) throw new AppError('not-found');
    this.pages.explain(response, code as ErrorCode);
  }
}
