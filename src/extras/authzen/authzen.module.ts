import { Module } from '@nestjs/common';
import { AbilityModule } from '../../ability/index.js';
import { AskedSubjects } from './asked-subjects.js';
import { AuthzenConfigurationController } from './authzen-configuration.controller.js';
import { AuthzenController } from './authzen.controller.js';
import { EvaluationService } from './evaluation.service.js';
import { SearchService } from './search.service.js';

/** The permission check in the form of AuthZEN 1.0, for gateways and services of others. */
@Module({
  imports: [AbilityModule],
  controllers: [AuthzenConfigurationController, AuthzenController],
  providers: [AskedSubjects, EvaluationService, SearchService],
})
export class AuthzenModule {}
