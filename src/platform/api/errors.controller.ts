import { Controller, Get, Header, Param } from '@nestjs/common';
import { HTML_PAGE } from '../web/index.js';
import { Public } from './public.decorator.js';
import { ApiOkResponse, ApiOperation, ApiParam } from './swagger/described.js';
import { AppError, errorCodes, findErrorRow } from '../errors/index.js';
import { DocumentationTag } from './documentation-tag.js';

/** Serves the page that the `type` of a problem links to (RFC 9457 section 3.1.1). */
@DocumentationTag()
@Controller('errors')
export class ErrorsController {
  @Get(':code')
  @Public('explains an error to the developer or user who received it')
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiOperation({
    operationId: 'explainError',
    summary: 'Explain an error',
    description: 'Page that the `type` of a problem links to.',
  })
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
  })
  explain(@Param('code') code: string): string {
    const row = findErrorRow(code);
    if (!row) throw new AppError('not-found');
    const { status, title, detail, remedy } = row;
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title></head>
<body><main><p>Gatehouse, HTTP ${status}</p><h1>${title}</h1><p><code>/errors/${code}</code></p>
<h2>What it means</h2><p>${detail}</p><h2>What to do</h2><p>${remedy}</p></main></body></html>
`;
  }
}
