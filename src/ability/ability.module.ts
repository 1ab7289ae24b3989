import { Module } from '@nestjs/common';
import { CallerLocale } from '../platform/web/index.js';
import { AbilityRegistry } from './ability.registry.js';
import { AbilityService } from './ability.service.js';
import { CallerScopes } from './scopes/caller-scopes.js';
import { ProbeController } from './probe/probe.controller.js';
import { RecentProof } from './recent-proof.js';

@Module({
  controllers: [ProbeController],
  providers: [AbilityRegistry, AbilityService, CallerLocale, CallerScopes, RecentProof],
  exports: [AbilityRegistry, AbilityService, CallerScopes, RecentProof],
})
export class AbilityModule {}
