export { type MailRequest, RANDOM_DELAY, type Recipient, utcOf } from './accounts/account-mails.js';
export type { FoundAccount } from './accounts/account.repository.js';
export { AccountService } from './accounts/account.service.js';
export { HASH_LIMIT, PASSWORD_RESET_LIMIT } from './accounts/account.limits.js';
export { MAILED_TOKEN } from './accounts/account.fields.js';
export { FailedSignIns } from './accounts/credentials/failed-sign-ins.js';
export { CredentialService } from './accounts/credentials/credential.service.js';
export { LoginThrottle, secondFactorKeyOf } from './accounts/credentials/login-throttle.js';
export { type KnownAddress, KnownAddresses } from './accounts/email-change/known-addresses.js';
export { ErasureList } from './accounts/erasure/erasure-list.js';
export { AcceptedResponse } from './accounts/profile/profile.response.js';
export { type ServiceProfile, ServiceProfiles } from './accounts/profile/service-profiles.js';
export { MeTag } from './accounts/profile/me-tag.js';
export { SecurityNotices } from './accounts/credentials/security-notices.js';
export { SuspensionService } from './accounts/suspension/suspension.service.js';
export { AuditTrail } from './audit/audit-trail.js';
export { PersonalFieldsMark, type PersonalReader } from './audit/personal-fields.js';
export { CHANGED, namesOfGiven, USER_ID } from './audit/event-fields.js';
export { type Recorded, recordedActions, RecordedAs } from './audit/recorded-as.js';
export { CreatedAt } from './idempotency/creation.interceptor.js';
export { Creates } from './idempotency/creates.decorator.js';
export { IamModule } from './iam.module.js';
export { heldMembership } from './organizations/members/member.repository.js';
export { MemberActivity } from './organizations/members/member-activity.js';
export { MembershipLimit } from './organizations/members/membership-limit.js';
export { MembershipDirectory } from './organizations/members/membership-directory.js';
export {
  type FactorCounts,
  MemberFactors,
  type RequiredFactor,
} from './organizations/sign-in-policy/policy-impact.js';
export { ROLE_KEYS } from './organizations/roles/role.fields.js';
export { OWNER } from './organizations/roles/role-scopes.js';
export { RoleService } from './organizations/roles/role.service.js';
export { TenantLock } from './organizations/tenants/tenant-lock.js';
export { SsoConditions, type SsoObstacle } from './organizations/sign-in-policy/sso-conditions.js';
export { SignInPolicyService } from './organizations/sign-in-policy/sign-in-policy.service.js';
export { TenantOwners } from './organizations/members/tenant-owners.js';
export { OperatorService } from './operators/operator.service.js';
export { ErasureService } from './accounts/erasure/erasure.service.js';
export { InvitationService } from './organizations/invitations/invitation.service.js';
export type { RolesOfMember } from './organizations/members/member.repository.js';
export { LastOwnerError, MemberService } from './organizations/members/member.service.js';
