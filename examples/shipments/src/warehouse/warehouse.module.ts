import { Module } from '@nestjs/common';
import { LoadPolicy } from './load.policy.js';
import { LoadRepository } from './load.repository.js';
import { LoadsController } from './loads.controller.js';
import { SitePolicy } from './site.policy.js';
import { SitesController } from './sites.controller.js';

@Module({
  controllers: [LoadsController, SitesController],
  providers: [LoadPolicy, LoadRepository, SitePolicy],
})
export class WarehouseModule {}
