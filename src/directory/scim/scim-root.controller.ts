import { All, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MAX_TOTAL, pageSizeOf } from '../records/record-list.repository.js';
import { throwNotFound } from '../records/record-rules.js';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.js';
import { LIST, type ListResponse, searchOf } from './representation.js';
import type { ScimAnswer, ScimCall } from './scim-call.js';
import { ScimBulk } from './scim-bulk.js';
import { ScimCalls } from './scim-calls.js';
import { ScimController } from './scim-records.controller.js';
import { ScimError } from './scim-error.js';
import { ScimGroups, ScimUsers } from './scim-records.js';
import { pathBelowDirectory } from './directory-access.js';

/** Methods of each path, for the refusal of others. */
const METHODS: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:Bulk|\.search|(?:Users|Groups)\/\.search)$/, 'POST'],
  [/^\/(?:ServiceProviderConfig|(?:ResourceTypes|Schemas)(?:\/[^/]+)?)$/, 'GET'],
  [/^\/(?:Users|Groups)$/, 'GET, POST'],
  [/^\/(?:Users|Groups)\/[^/]+$/, 'GET, PUT, PATCH, DELETE'],
];

/** Discovery, bulk, the search of everything, and the refusal of other paths and methods. */
@ScimController()
export class ScimRootController {
  constructor(
    private readonly calls: ScimCalls,
    private readonly users: ScimUsers,
    private readonly groups: ScimGroups,
    private readonly operations: ScimBulk,
  ) {}

  @Get('ServiceProviderConfig')
  config(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async ({ baseUrl }) => ({
      status: 200,
      body: serviceProviderConfig(baseUrl),
    }));
  }

  @Get('ResourceTypes')
  resourceTypes(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async ({ baseUrl }) => allOf(resourceTypes(baseUrl)));
  }

  @Get('ResourceTypes/:id')
  resourceType(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async ({ baseUrl }) => oneOf(resourceTypes(baseUrl), id));
  }

  @Get('Schemas')
  schemas(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async ({ baseUrl }) => allOf(schemas(baseUrl)));
  }

  @Get('Schemas/:id')
  schema(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async ({ baseUrl }) => oneOf(schemas(baseUrl), id));
  }

  @Post('Bulk')
  bulk(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.operations.run(call));
  }

  @Post('.search')
  search(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async (call) => ({
      status: 200,
      body: await this.listAll(call),
    }));
  }

  @All()
  base(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, throwNotFound);
  }

  @All('*path')
  refuse(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, async () => refusalOfPath(pathBelowDirectory(request)));
  }

  /**
   * Lists users, and groups after them.
   * @throws {ScimError} tooMany for more users than are counted; invalidValue for a cursor or order
   */
  private async listAll(call: ScimCall): Promise<ListResponse> {
    const query = searchOf(call.body);
    if (query.cursor !== undefined || query.sortBy !== undefined)
      throw new ScimError(400, 'invalidValue', 'Search Users or Groups to sort, or to page by cursor.');
    const users = await this.users.page(call, query);
    if (users.totalResults >= MAX_TOTAL)
      throw new ScimError(400, 'tooMany', 'Search Users and Groups one by one.');
    const start = Math.max(1, query.startIndex ?? 1);
    const groups = await this.groups.page(call, {
      ...query,
      startIndex: start - users.totalResults,
      count: pageSizeOf(query) - users.itemsPerPage,
    });
    return {
      schemas: [LIST],
      totalResults: users.totalResults + groups.totalResults,
      itemsPerPage: users.itemsPerPage + groups.itemsPerPage,
      startIndex: start,
      Resources: [...users.Resources, ...groups.Resources],
    };
  }
}

/** @throws {ScimError} 404 for an unknown path; 501 for `/Me` */
function refusalOfPath(path: string): ScimAnswer {
  if (/^\/Me(?:\/[^/]+)?$/.test(path)) throw new ScimError(501, null, 'A token of a directory is no person.');
  const allow = METHODS.find(([pattern]) => pattern.test(path))?.[1] ?? throwNotFound();
  return { ...new ScimError(405, null, `This path takes ${allow}.`).toAnswer(), headers: { Allow: allow } };
}

function allOf(documents: readonly { readonly id: string }[]): ScimAnswer {
  const body = {
    schemas: [LIST],
    totalResults: documents.length,
    startIndex: 1,
    itemsPerPage: documents.length,
    Resources: documents,
  };
  return { status: 200, body };
}

function oneOf(documents: readonly { readonly id: string }[], id: string): ScimAnswer {
  return { status: 200, body: documents.find((document) => document.id === id) ?? throwNotFound() };
}
