import { Module } from '@nestjs/common';
import { AbilityRegistry } from './ability.registry.js';
import { AbilityService } from './ability.service.js';
import { ProbeController } from './probe.controller.js';

@Module({
  controllers: [ProbeController],
  providers: [AbilityRegistry, AbilityService],
  exports: [AbilityRegistry, AbilityService],
})
export class AbilityModule {}
