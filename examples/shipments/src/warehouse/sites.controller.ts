import { Body, Controller, Post } from '@nestjs/common';
import { RequireScopes, SelectedTenant } from 'gatehouse/ability';
import { ApiOperation, Tag } from 'gatehouse/api';
import { TenantDatabase } from 'gatehouse/database';
import { Creates } from 'gatehouse/iam';
import { newId, type TenantId } from 'gatehouse/kernel';
import { CreateSiteDto, SiteResponse } from './warehouse.dto.js';

/** Sites of an organization. */
@Tag('Warehouse', 'Sites and loads.')
@Controller('api/v1/warehouse/sites')
export class SitesController {
  constructor(private readonly database: TenantDatabase) {}

  @Post()
  @RequireScopes('warehouse:site:create')
  @ApiOperation({ summary: 'Add a site' })
  @Creates(SiteResponse, '/api/v1/warehouse/sites/{id}')
  async add(
    @SelectedTenant() tenantId: TenantId,
    @Body() { name, parentId }: CreateSiteDto,
  ): Promise<SiteResponse> {
    const sql =
      'INSERT INTO sites (tenant_id, id, parent_id, name) VALUES ($1, $2, $3, $4) RETURNING id, name';
    const [site] = await this.database.rows<SiteResponse>(tenantId, sql, [newId(), parentId ?? null, name]);
    if (!site) throw new Error('The site was not created.');
    return site;
  }
}
