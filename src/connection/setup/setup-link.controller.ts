import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Operation, type Page, Paged, PageOf, Problems, toPage } from '../../platform/api/index.js';
import { Caller, clientOf } from '../../platform/web/index.js';
import { SingleSignOnTag } from '../connection.declarations.js';
import { CreatedSetupLinkResponse, CreateSetupLinkDto, SetupLinkResponse } from './setup.dto.js';
import { SetupLinkService } from './setup-link.service.js';

/** Links by which an IT contact without an account sets up a connection of an organization. */
@SingleSignOnTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/setup-links')
export class SetupLinkController {
  constructor(private readonly links: SetupLinkService) {}

  @Get()
  @RequireScopes('iam:setup-link:read')
  @AbilitySubject('id')
  @Paged(SetupLinkResponse)
  @Operation('List set-up links', 'Ended ones for 30 days more. The addresses are not shown again.')
  async listSetupLinks(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.links.list(id, page), page, SetupLinkResponse.from);
  }

  @Post()
  @RequireScopes('iam:setup-link:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Create a set-up link',
    'For seven days, its holder can do what `intents` name, without an account. It activates and enforces nothing, and reaches no members. 400 on `intents` for what the caller may not do. With `email` the link is mailed.',
  )
  @Creates(CreatedSetupLinkResponse, '/api/v1/iam/tenants/:id/setup-links')
  async createSetupLink(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: CreateSetupLinkDto,
    @Req() request: Request,
  ) {
    const { locale, ipAddress } = clientOf(request);
    return CreatedSetupLinkResponse.from(await this.links.create(id, caller, { ...body, locale, ipAddress }));
  }

  @Delete(':linkId')
  @RequireScopes('iam:setup-link:revoke')
  @AbilitySubject('linkId')
  @HttpCode(204)
  @Operation('Revoke a set-up link', 'The next request with it is refused. What it has set up stays.')
  async revokeSetupLink(
    @Caller() caller: Principal,
    @Param() { id, linkId }: TenantPath<'linkId'>,
  ): Promise<void> {
    await this.links.revoke(id, caller.userId, linkId);
  }
}
