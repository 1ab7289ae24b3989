import { Module } from '@nestjs/common';
import { AbilityRegistry } from './ability.registry.js';
import { AbilityService } from './ability.service.js';
import { ProbeController } from './probe.controller.js';
import { RecentProof } from './recent-proof.js';

@Module({
  controllers: [ProbeController],
  providers: [AbilityRegistry, AbilityService, RecentProof],
  exports: [AbilityRegistry, AbilityService, RecentProof],
})
export class AbilityModule {}
