import {
  applyDecorators,
  Controller,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Put,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { AnyQuery, ApiExcludeController, RawBodyMark } from '../../platform/api/index.js';
import { ByDirectory, SCIM_PATH } from './directory-access.js';
import { MAX_BODY_BYTES } from './discovery.js';
import { ScimCalls } from './scim-calls.js';
import { ScimExceptionFilter } from './scim-exception.filter.js';
import { ScimGroups, type ScimRecords, ScimUsers } from './scim-records.js';

/**
 * Declares a controller of SCIM: for tokens of the directory in its path, with bodies that are read
 * after authentication, and errors in the form of SCIM.
 * @param path below the base address of a directory
 */
export const ScimController = (path = ''): ClassDecorator =>
  applyDecorators(
    Controller(`${SCIM_PATH}/${path}`),
    ByDirectory(true),
    AnyQuery('unknown parameters are ignored (RFC 7644 section 3.4.2)'),
    RawBodyMark({ type: 'application/scim+json', maxBytes: MAX_BODY_BYTES }),
    UseFilters(ScimExceptionFilter),
    ApiExcludeController(),
  );

/** Resources of one type (RFC 7644 section 3). */
abstract class ScimRecordsController {
  protected abstract readonly calls: ScimCalls;
  protected abstract readonly records: ScimRecords<unknown>;

  @Get()
  list(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.records.list(call));
  }

  @Post()
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.records.create(call));
  }

  @Post('.search')
  search(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.records.search(call));
  }

  @Get(':id')
  get(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.records.get(call, id));
  }

  @Put(':id')
  replace(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.records.replace(call, id));
  }

  @Patch(':id')
  patch(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.records.patch(call, id));
  }

  @Delete(':id')
  remove(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.records.remove(call, id));
  }
}

@ScimController('Users')
export class ScimUsersController extends ScimRecordsController {
  constructor(
    protected readonly calls: ScimCalls,
    protected readonly records: ScimUsers,
  ) {
    super();
  }
}

@ScimController('Groups')
export class ScimGroupsController extends ScimRecordsController {
  constructor(
    protected readonly calls: ScimCalls,
    protected readonly records: ScimGroups,
  ) {
    super();
  }
}
