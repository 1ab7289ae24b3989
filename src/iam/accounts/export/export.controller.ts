import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiOkResponse,
  ApiOperation,
  Bearer,
  Problems,
} from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import { type PersonPrincipal, SENSITIVE } from '../../../kernel/index.js';
import { MeTag } from '../profile/me-tag.js';
import {
  ExportResponse,
  ExportsResponse,
  ListedExportResponse,
  RequestedExportResponse,
} from './export.response.js';
import { ExportService } from './export.service.js';

/** What is kept about the caller. */
@MeTag()
@Controller('api/v1/iam/me/export')
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @Post()
  @Bearer('app', SENSITIVE)
  @Problems('conflict')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'requestMyData',
    summary: 'Ask for everything that is kept about me',
    description: 'Once a day. A mail tells when it is ready; it is kept for seven days.',
  })
  @ApiAcceptedResponse({ type: RequestedExportResponse })
  async request(@Caller() { userId }: PersonPrincipal): Promise<RequestedExportResponse> {
    return RequestedExportResponse.from(await this.exports.request(userId));
  }

  @Get()
  @Bearer('app')
  @ApiOperation({
    operationId: 'listMyData',
    summary: 'List the exports of what is kept about me',
    description: 'Newest first. Without what is in them.',
  })
  @ApiOkResponse({ type: ExportsResponse })
  async list(@Caller() { userId }: PersonPrincipal): Promise<ExportsResponse> {
    const exports = await this.exports.list(userId);
    return { items: exports.map((one) => ListedExportResponse.of(one)) };
  }

  @Get(':id')
  @Bearer('app', SENSITIVE)
  @Problems('not-found', 'conflict')
  @ApiOperation({
    operationId: 'getMyData',
    summary: 'Get what is kept about me',
    description: 'By parts, with what each field is. Secrets and their hashes are left out.',
  })
  @ApiOkResponse({ type: ExportResponse })
  async get(@Caller() { userId }: PersonPrincipal, @Param('id') id: string): Promise<ExportResponse> {
    const { createdAt, parts } = await this.exports.get(userId, id);
    return { createdAt, parts: parts.map((part) => ({ ...part, items: [...part.items] })) };
  }
}
