import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'express';
import { AppError } from '../../errors/index.js';
import { pagePolicy } from '../../web/index.js';
import { BrowserRoute } from '../browser.decorator.js';
import { DocumentationTag, Operation } from '../documentation.decorator.js';
import { Public } from '../access.decorator.js';
import { AnyQuery } from '../query.js';
import { ApiExcludeEndpoint, ApiOkResponse } from '../swagger/described.js';
import { DOCUMENT_ANSWER, PAGE_ANSWER } from './docs-responses.js';
import { REFERENCE_ASSETS } from './reference/assets.js';
import type { Reference } from './reference/reference.js';

const POLICY = pagePolicy({ scripts: ["'self'"], styles: ["'self'"] });
const HTML = 'text/html; charset=utf-8';

/**
 * Serves the API documentation: the OpenAPI document, and pages for it that need no other host (ADR
 * 32).
 */
@DocumentationTag()
@AnyQuery('pages')
@Controller('api/docs')
export class DocsController {
  private create: (() => Promise<OpenAPIObject>) | undefined;
  private home: string | null;
  private reference: Promise<Reference> | undefined;

  /**
   * Sets the function that creates the document of the assembled application. It is called on the
   * first request, as it takes 250 ms.
   * @param home address of the portal's first page; null without the portal
   */
  publish(create: () => Promise<OpenAPIObject>, home: string | null): void {
    this.create = create;
    this.home = home;
  }

  @Get()
  @Public('documentation')
  @BrowserRoute()
  @Header('Content-Security-Policy', POLICY)
  @Header('Content-Type', HTML)
  @Operation(
    'Show the API reference',
    'Introduction and list of operations, as a page. Each operation has a page of its own.',
  )
  @ApiOkResponse(PAGE_ANSWER)
  async showApiDocs(): Promise<string> {
    return (await this.load()).pages.introduction();
  }

  @Get('operations/:operationId')
  @Public('documentation')
  @BrowserRoute()
  @ApiExcludeEndpoint()
  @Header('Content-Security-Policy', POLICY)
  @Header('Content-Type', HTML)
  async operation(@Param('operationId') id: string): Promise<string> {
    const page = (await this.load()).pages.operation(id);
    if (page === null) throw new AppError('not-found');
    return page;
  }

  @Get('openapi.json')
  @Public('documentation')
  @Operation('Get this document', 'OpenAPI 3.1, generated from the code.')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOkResponse(DOCUMENT_ANSWER)
  async getOpenApiDocument(): Promise<string> {
    return (await this.load()).document;
  }

  @Get(':asset')
  @Public('documentation')
  @ApiExcludeEndpoint()
  @Header('Cache-Control', 'public, max-age=86400')
  asset(@Param('asset') name: string, @Res() response: Response): void {
    const asset = REFERENCE_ASSETS.get(name);
    if (!asset) throw new AppError('not-found');
    response.type(asset.type).send(asset.content);
  }

  private load(): Promise<Reference> {
    if (!this.create) throw new AppError('not-found');
    this.reference ??= this.build(this.create).catch((error: unknown) => {
      this.reference = undefined; // the next request tries again
      throw error;
    });
    return this.reference;
  }

  private async build(create: () => Promise<OpenAPIObject>): Promise<Reference> {
    const { createReference } = await import('./reference/reference.js');
    return createReference(await create(), this.home);
  }
}
