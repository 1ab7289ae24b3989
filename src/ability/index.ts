export { AbilitiesTag } from './abilities-tag.js';
export { AbilityModule } from './ability.module.js';
export {
  AbilityPolicy,
  BY_ADMINS,
  BY_OPERATORS,
  BY_SUPPORT,
  type EntityPolicy,
  type LoadContext,
  PolicyWithoutEntity,
  Scope,
} from './ability-policy.decorator.js';
export { AbilityRegistry, type RegisteredModule, type RegisteredPermission } from './ability.registry.js';
export { AbilityService } from './ability.service.js';
export { findAllowedBy } from './allowed-by.js';
export { RoleHolders } from './role-holders.js';
export { type Collection, type DeclaredScope, SCOPE_SHAPE } from './scope-declarations.js';
export {
  CallerScopes,
  isForMachines,
  isForPlatformAccounts,
  isHeldByOperator,
} from './scopes/caller-scopes.js';
export {
  EVERY_SCOPE,
  HeldScopes,
  type Holder,
  holdsBy,
  type FindRole,
  type ScopePredicate,
  type TenantConditions,
} from './scopes/held-scopes.js';
export { RequireScopes } from './require-scopes.decorator.js';
export { Accessible } from './accessible.js';
export {
  AbilitySubject,
  findScopedAccess,
  HeldAnywhere,
  RouteQuestions,
  type ScopedAccess,
  TenantParam,
  type TenantPath,
} from './scoped-access.js';
export {
  type AssuredPerson,
  AuthenticationCheck,
  type OwnProofMethods,
  type ProofMethod,
  SignInConditions,
} from './authentication-check.js';
export { ABOUT_MEMBERS, memberOf } from './probe/tested-members.js';
export { type AbilityCheck, parseSubject, type Subject, SUBJECT_SHAPE, thingOf } from './subject.js';
export { SelectedTenant, SelectedTenantMark } from './selected-tenant.decorator.js';
export { SignInCheck } from './sign-in-check.js';
export {
  conflict,
  type Decision,
  DENIAL_CODES,
  denialError,
  deny,
  denyByState,
  forbid,
  type Refusal,
  type SignInNeed,
} from './decision.js';
