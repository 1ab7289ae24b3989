import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Response } from 'express';
import { AppError } from '../../errors/index.js';
import { BrowserRoute } from '../browser-route.decorator.js';
import { DocumentationTag } from '../documentation-tag.js';
import { Public } from '../public.decorator.js';
import { AnyQuery } from '../query.js';
import { ApiOkResponse, ApiOperation, ApiParam } from '../swagger/described.js';
import { ASSET_ANSWER, DOCUMENT_ANSWER, PAGE_ANSWER, SCRIPT_ANSWER } from './docs-responses.js';

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Gatehouse API</title><link rel="stylesheet" href="/api/docs/swagger-ui.css"></head>
<body><div id="ui"></div><script src="/api/docs/swagger-ui-bundle.js"></script><script src="/api/docs/start.js"></script></body></html>
`;
const START =
  'SwaggerUIBundle({ url: "/api/docs/openapi.json", dom_id: "#ui", deepLinking: true, validatorUrl: null });\n';
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};

/** Serves the API documentation: the OpenAPI document, and a page for it that works offline. */
@DocumentationTag()
@AnyQuery('pages')
@Controller('api/docs')
export class DocsController {
  private create: (() => Promise<OpenAPIObject>) | undefined;
  /** Serialized once: it is 250 KB, and public. */
  private document: Promise<string> | undefined;
  private readonly assets = new Map<string, Buffer>();

  /**
   * Sets the function that creates the document of the assembled application. It is called on the
   * first request, as it takes 250 ms.
   */
  publish(create: () => Promise<OpenAPIObject>): void {
    this.create = create;
  }

  @Get()
  @Public('documentation')
  @BrowserRoute()
  @Header(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
  )
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiOperation({
    operationId: 'showApiDocs',
    summary: 'API documentation',
    description: 'Page that works offline.',
  })
  @ApiOkResponse(PAGE_ANSWER)
  page(): string {
    return PAGE;
  }

  @Get('openapi.json')
  @Public('documentation')
  @ApiOperation({
    operationId: 'getOpenApiDocument',
    summary: 'This document',
    description: 'OpenAPI 3.1, generated from the code.',
  })
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOkResponse(DOCUMENT_ANSWER)
  openapi(): Promise<string> {
    if (!this.create) throw new AppError('not-found');
    this.document ??= this.create().then(JSON.stringify, (error: unknown) => {
      this.document = undefined; // the next request tries again
      throw error;
    });
    return this.document;
  }

  @Get('start.js')
  @Public('documentation')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @ApiOperation({
    operationId: 'getApiDocsScript',
    summary: 'Start script of the page',
    description: 'Points the page at the document.',
  })
  @ApiOkResponse(SCRIPT_ANSWER)
  start(): string {
    return START;
  }

  @Get(':asset')
  @Public('documentation')
  @Header('Cache-Control', 'public, max-age=3600')
  @ApiOperation({
    operationId: 'getApiDocsAsset',
    summary: 'Assets of the page',
    description: 'Script and stylesheet, so that the page needs no other host.',
  })
  @ApiParam({
    name: 'asset',
    description: 'File name.',
    enum: Object.keys(ASSETS),
  })
  @ApiOkResponse(ASSET_ANSWER)
  asset(@Param('asset') name: string, @Res() response: Response): void {
    const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (type === undefined) throw new AppError('not-found');
    response.type(type).send(this.read(name));
  }

  private read(name: string): Buffer {
    const known = this.assets.get(name);
    if (known) return known;
    const content = readFileSync(join(findPackageJSON('swagger-ui-dist', import.meta.url) ?? '', '..', name));
    this.assets.set(name, content);
    return content;
  }
}
