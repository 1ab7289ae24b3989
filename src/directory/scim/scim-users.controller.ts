import { Delete, Get, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ScimCalls } from './scim-calls.js';
import { ScimController } from './scim-controller.decorator.js';
import { ScimUsers } from './scim-records.js';

/** Users of a directory (RFC 7644 section 3). */
@ScimController('Users')
export class ScimUsersController {
  constructor(
    private readonly calls: ScimCalls,
    private readonly users: ScimUsers,
  ) {}

  @Get()
  list(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.users.list(call));
  }

  @Post()
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.users.create(call));
  }

  @Post('.search')
  search(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.users.search(call));
  }

  @Get(':id')
  get(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.users.get(call, id));
  }

  @Put(':id')
  replace(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.users.replace(call, id));
  }

  @Patch(':id')
  patch(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.users.patch(call, id));
  }

  @Delete(':id')
  remove(@Param('id') id: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.calls.answer(request, response, (call) => this.users.remove(call, id));
  }
}
