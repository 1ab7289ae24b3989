import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import {
  AbilityService,
  AbilitySubject,
  HeldAnywhere,
  RequireScopes,
  SelectedTenant,
} from 'gatehouse/ability';
import { ApiOperation, type ItemPage, type Page, Paged, PageOf, Tag, toPage } from 'gatehouse/api';
import { Creates } from 'gatehouse/iam';
import type { Principal, TenantId } from 'gatehouse/kernel';
import { Caller } from 'gatehouse/web';
import { LoadRepository } from './load.repository.js';
import { CreateLoadDto, LoadResponse } from './warehouse.dto.js';

/** Loads of an organization, as far as the caller's roles reach. */
@Tag('Warehouse', 'Sites and loads.')
@Controller('api/v1/warehouse')
export class LoadsController {
  constructor(
    private readonly loads: LoadRepository,
    private readonly abilities: AbilityService,
  ) {}

  @Get('loads')
  @RequireScopes('warehouse:load:read')
  @HeldAnywhere()
  @Paged(LoadResponse)
  @ApiOperation({ summary: 'List loads', description: 'Those that the caller may view.' })
  async list(
    @SelectedTenant() tenantId: TenantId,
    @Caller() caller: Principal,
    @PageOf() page: Page,
  ): Promise<ItemPage<LoadResponse>> {
    const accessible = await this.abilities.findAccessible(caller, 'warehouse:load:read');
    const rows = await this.loads.list(tenantId, { ...page, limit: page.limit + 1 }, accessible);
    return toPage(rows, page, (load) => load);
  }

  @Post('sites/:siteId/loads')
  @RequireScopes('warehouse:load:create')
  @AbilitySubject('siteId')
  @ApiOperation({ summary: 'Add a load' })
  @Creates(LoadResponse, '/api/v1/warehouse/loads/{id}')
  add(
    @SelectedTenant() tenantId: TenantId,
    @Param('siteId') siteId: string,
    @Body() { contents }: CreateLoadDto,
  ): Promise<LoadResponse> {
    return this.loads.insert(tenantId, siteId, contents);
  }

  @Post('loads/:id/release')
  @RequireScopes('warehouse:load:release')
  @AbilitySubject('id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Release a load' })
  release(@SelectedTenant() tenantId: TenantId, @Param('id') id: string): Promise<void> {
    return this.loads.release(tenantId, id);
  }
}
