import { Delete, Get, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ScimCalls } from './scim-calls.js';
import { ScimController } from './scim-controller.decorator.js';
import { ScimGroups } from './scim-records.js';

/** Groups of a directory (RFC 7644 section 3). */
@ScimController('Groups')
export class ScimGroupsController {
  constructor(
    private readonly calls: ScimCalls,
    private readonly groups: ScimGroups,
  ) {}

  @Get()
  list(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.groups.list(call));
  }

  @Post()
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.groups.create(call));
  }

  @Post('.search')
  search(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.groups.search(call));
  }

  @Get(':id')
  get(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.groups.get(call, id));
  }

  @Put(':id')
  replace(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.groups.replace(call, id));
  }

  @Patch(':id')
  patch(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.groups.patch(call, id));
  }

  @Delete(':id')
  remove(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.groups.remove(call, id));
  }
}
