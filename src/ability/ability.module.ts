import { Global, Module } from '@nestjs/common';
import { CallerLocale } from '../platform/web/index.js';
import { AuthenticationCheck } from './authentication-check.js';
import { AbilityRegistry } from './ability.registry.js';
import { AbilityService } from './ability.service.js';
import { AuthzenConfigurationController } from './authzen/authzen-configuration.controller.js';
import { AuthzenController } from './authzen/authzen.controller.js';
import { AskedSubjects } from './authzen/asked-subjects.js';
import { EvaluationService } from './authzen/evaluation.service.js';
import { SearchService } from './authzen/search.service.js';
import { CallerScopes } from './scopes/caller-scopes.js';
import { ProbeController } from './probe/probe.controller.js';
import { RouteQuestions } from './scoped-access.js';
import { SignInCheck } from './sign-in-check.js';

@Global()
@Module({
  controllers: [AuthzenConfigurationController, AuthzenController, ProbeController],
  providers: [
    AbilityRegistry,
    AbilityService,
    AskedSubjects,
    AuthenticationCheck,
    CallerLocale,
    CallerScopes,
    EvaluationService,
    RouteQuestions,
    SearchService,
    SignInCheck,
  ],
  exports: [
    AbilityRegistry,
    AbilityService,
    AuthenticationCheck,
    CallerLocale,
    CallerScopes,
    RouteQuestions,
    SignInCheck,
  ],
})
export class AbilityModule {}
