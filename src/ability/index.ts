export { AbilityModule } from './ability.module.js';
export { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from './ability-policy.decorator.js';
export { AbilityRegistry, SCOPE_SHAPE } from './ability.registry.js';
export { AbilityService, type AbilityCheck } from './ability.service.js';
export { CommandRunner } from './command.interceptor.js';
export { CallerScopes } from './caller-scopes.js';
export { ClientScopes, EVERY_SCOPE } from './client-scopes.js';
export { HeldScopes, type ScopePredicate } from './held-scopes.js';
export {
  ABILITY_SUBJECT,
  AbilitySubject,
  REQUIRED_SCOPES,
  RequireScopes,
  TENANT_PARAM,
  TenantParam,
} from './require-scopes.decorator.js';
export { ProofMethods, RecentProof } from './recent-proof.js';
export { SelectedTenant } from './selected-tenant.decorator.js';
export { denialError, denyByState } from './decision.js';
