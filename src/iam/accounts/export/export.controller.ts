import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Accepts, Answers, ApiOkResponse, Bearer, Operation, Problems } from '../../../platform/api/index.js';
import { Caller, CallerLocale, HTML_PAGE } from '../../../platform/web/index.js';
import { type PersonPrincipal, SENSITIVE } from '../../../kernel/index.js';
import { MeTag } from '../account.declarations.js';
import { EXPORT_PAGE_POLICY, ExportPage } from './export-page.js';
import {
  ExportResponse,
  ExportsResponse,
  ListedExportResponse,
  RequestedExportResponse,
} from './export.dto.js';
import { ExportService } from './export.service.js';

/** What is kept about the caller. */
@MeTag()
@Controller('api/v1/iam/me/export')
export class ExportController {
  constructor(
    private readonly exports: ExportService,
    private readonly locales: CallerLocale,
  ) {}

  @Post()
  @Bearer('app', { ...SENSITIVE, stations: true })
  @Problems('conflict')
  @Operation(
    'Ask for everything that is kept about me',
    'Once a day. A mail tells when it is ready; it is kept for seven days.',
  )
  @Accepts(RequestedExportResponse)
  async requestMyData(@Caller() { userId }: PersonPrincipal) {
    return RequestedExportResponse.from(await this.exports.request(userId));
  }

  @Get()
  @Bearer('app', { stations: true })
  @Operation('List the exports of what is kept about me', 'Newest first. Without what is in them.')
  @Answers(ExportsResponse)
  async listMyData(@Caller() { userId }: PersonPrincipal) {
    const exports = await this.exports.list(userId);
    return { items: exports.map((one) => ListedExportResponse.of(one)) };
  }

  @Get(':id')
  @Bearer('app', { ...SENSITIVE, stations: true })
  @Problems('not-found', 'conflict')
  @Operation(
    'Get what is kept about me',
    'By parts, with what each field is. Secrets and their hashes are left out.',
  )
  @Answers(ExportResponse)
  async getMyData(@Caller() { userId }: PersonPrincipal, @Param('id') id: string) {
    const { createdAt, parts } = await this.exports.get(userId, id);
    return { createdAt, parts: parts.map((part) => ({ ...part, items: [...part.items] })) };
  }

  @Get(':id/page')
  @Bearer('app', { ...SENSITIVE, stations: true })
  @Problems('not-found', 'conflict')
  @Operation(
    'Get what is kept about me, as a page to read',
    'In the language of the person. It needs no other file, and can be saved.',
  )
  @ApiOkResponse({
    description: 'The page.',
    content: {
      'text/html': {
        schema: { ...HTML_PAGE, maxLength: 100_000_000 },
        example: '<!doctype html>\n<html lang="en"></html>',
      },
    },
    headers: {
      'Content-Security-Policy': {
        description: 'Allows the style of the page, and nothing else.',
        required: true,
        schema: { type: 'string', pattern: "^default-src 'none'; ", maxLength: 1_000 },
        example: EXPORT_PAGE_POLICY,
      },
    },
  })
  async getPageOfMyData(
    @Caller() { userId }: PersonPrincipal,
    @Param('id') id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const document = await this.exports.get(userId, id);
    const page = new ExportPage(await this.locales.find(request)).write(document);
    // After what can fail: an error has its own policy.
    response.setHeader('Content-Security-Policy', EXPORT_PAGE_POLICY);
    response.type('html').send(page);
  }
}
