import { Global, Module } from '@nestjs/common';
import { CallerLocale } from '../platform/web/index.js';
import { AuthenticationCheck } from './authentication-check.js';
import { AbilityRegistry } from './ability.registry.js';
import { AbilityService } from './ability.service.js';
import { CallerScopes } from './scopes/caller-scopes.js';
import { ProbeController } from './probe/probe.controller.js';
import { TestedMembers } from './probe/tested-members.js';
import { RoleHolders } from './role-holders.js';
import { RouteQuestions } from './scoped-access.js';
import { SignInCheck } from './sign-in-check.js';

@Global()
@Module({
  controllers: [ProbeController],
  providers: [
    AbilityRegistry,
    AbilityService,
    AuthenticationCheck,
    CallerLocale,
    CallerScopes,
    RoleHolders,
    RouteQuestions,
    SignInCheck,
    TestedMembers,
  ],
  exports: [
    AbilityRegistry,
    AbilityService,
    AuthenticationCheck,
    CallerLocale,
    CallerScopes,
    RoleHolders,
    RouteQuestions,
    SignInCheck,
  ],
})
export class AbilityModule {}
