export { type MailRequest, RANDOM_DELAY, type Recipient, utcOf } from './accounts/account-mails.js';
export type { FoundAccount } from './accounts/account-list.repository.js';
export { AccountService } from './accounts/account.service.js';
export { ProfileService } from './accounts/profile/profile.service.js';
export { HASH_LIMIT, PASSWORD_RESET_LIMIT } from './accounts/account.declarations.js';
export type { AccountExport } from './accounts/export/account-export.repository.js';
export { ExportService } from './accounts/export/export.service.js';
export { MAX_EXPORTED, PersonalData } from './accounts/export/personal-data.decorator.js';
export {
  COMPANY,
  COUNTRY,
  DISPLAY_NAME,
  FIRST_NAME,
  LAST_NAME,
  LOCALE,
  MAILED_TOKEN,
  MARKETING_OPT_IN,
  WHOLE_NAME,
} from './accounts/account.declarations.js';
export {
  NamedResponse,
  nameColumns,
  nameOf,
  namesOf,
  NO_NAME,
  type PersonName,
  readName,
} from './accounts/person-name.js';
export type { Profile } from './accounts/account.repository.js';
export { PasswordHasher } from './accounts/credentials/password-hasher.js';
export { PasswordService } from './accounts/credentials/password.service.js';
export { SIGN_IN_METHODS, SIGN_IN_REFUSALS, SignInCounts } from './accounts/credentials/sign-in-counts.js';
export { CredentialService } from './accounts/credentials/credential.service.js';
export {
  LegacyDirectory,
  type LegacyDirectoryOptions,
  type LegacyPerson,
  type LegacyVerifier,
} from './accounts/credentials/legacy/legacy-directory.decorator.js';
export { LoginThrottle, secondFactorKeyOf } from './accounts/credentials/login-throttle.js';
export {
  type KnownAddress,
  KnownAddressRepository,
} from './accounts/email-change/known-address.repository.js';
export { DirectoryEmails } from './accounts/email-change/directory-emails.js';
export { EmailChangeService } from './accounts/email-change/email-change.service.js';
export { ManagedAccountRepository } from './accounts/email-change/managed-account.repository.js';
export { ErasureList } from './accounts/erasure/erasure-list.js';
export { AcceptedResponse } from './accounts/auth.dto.js';
export { MeTag } from './accounts/account.declarations.js';
export { SecurityNotices } from './accounts/credentials/security-notices.js';
export { SuspensionService } from './accounts/suspension/suspension.service.js';
export { AuditQuery } from './audit/audit-query.dto.js';
export { AuditEventResponse } from './audit/audit.dto.js';
export { SignInFailuresResponse } from './audit/event-details.dto.js';
export { AuditTag } from './audit/audit.declarations.js';
export { AuditNames, type EventNames } from './audit/audit-names.js';
export { AuditSearch } from './audit/audit-search.js';
export { type AuditEvent, AuditEventRepository, type FailureEvent } from './audit/audit-event.repository.js';
export { AuditTrail } from './audit/audit-trail.js';
export { type MemberDirectory, NamesDirectories } from './organizations/members/member-directories.js';
export { ActsInTrail, NamedInTrail, type NamedThing } from './audit/named-in-trail.decorator.js';
export { PasswordResetService } from './accounts/credentials/password-reset.service.js';
export { PersonalFieldsMark, type PersonalReader } from './audit/personal-fields.js';
export { findImpersonator, runAsImpersonator } from './audit/audit-trail.js';
export { CHANGED, namesOfGiven, TICKET, USER_ID } from './audit/audit.declarations.js';
export { type Recorded, recordedActions, RecordedAs, recordedEvents } from './audit/recorded-as.js';
export { ExportedWithPeople } from './export/people-export.service.js';
export { PeopleExport } from './export/people-export.service.js';
export type { ImportReport } from './import/import-run.js';
export { PeopleImport } from './import/people-import.service.js';
export { CreatedAt } from './idempotency/creation.interceptor.js';
export { Creates } from './idempotency/creation.interceptor.js';
export { IamModule } from './iam.module.js';
export { RefusedLogo } from './organizations/branding/logo/chunk.js';
export { ImageOfHash, sendImage } from './organizations/branding/images.js';
export {
  type FetchedLogoType,
  type Logo,
  readFetchedLogo,
  requireLogoBytes,
} from './organizations/branding/logo/logo.js';
export { LookResponse } from './organizations/branding/branding.dto.js';
export { BrandingService, type Look } from './organizations/branding/branding.service.js';
export {
  ALL_ROLE_IDS_OF_M,
  HELD_ROLES,
  heldMemberships,
  IS_ACTIVE,
  IS_ON_PARTNERSHIP_OF_M,
  notEnded,
  PUTS_ON_PARTNERSHIPS,
  ROLE_ENDS_OF_M,
  ROLE_KEYS_OF_M,
} from './organizations/members/member-sql.js';
export type { NamedOwner } from './organizations/members/member.repository.js';
export { MembershipLimit } from './organizations/members/membership-limit.js';
export { MemberAudience } from './organizations/members/member-audience.js';
export { type BegunForMember, MemberAuthority } from './organizations/members/member-authority.js';
export { MembershipDirectory } from './organizations/members/membership-directory.js';
export { AssignmentsQuery } from './organizations/assignments/assignment.dto.js';
export { AssignmentService } from './organizations/assignments/assignment.service.js';
export { thingsField } from './organizations/organization.declarations.js';
export type { RuledAssignment } from './organizations/assignments/assignment.repository.js';
export { ThingParents } from './organizations/things/thing-parents.js';
export { ROLE_KEYS } from './organizations/roles/role.fields.js';
export type { Tenant } from './organizations/tenants/tenant.entity.js';
export { SLUG_PATTERN } from './organizations/tenants/slug.js';
export { SLUG } from './organizations/organization.declarations.js';
export { AccessRequestService } from './organizations/access-requests/access-request.service.js';
export { PartnershipService } from './organizations/partnerships/partnership.service.js';
export { TenantService } from './organizations/tenants/tenant.service.js';
export { OWNER } from './organizations/roles/role-scopes.js';
export type { Role } from './organizations/roles/role.repository.js';
export { RoleService } from './organizations/roles/role.service.js';
export { OwnTenantPolicy } from './organizations/tenants/own-tenant.policy.js';
export { type TenantLimits, TenantLimitsService } from './organizations/limits/tenant-limits.service.js';
export { OrganizationsTag } from './organizations/organization.declarations.js';
export { LockedTenant } from './organizations/tenants/locked-tenant.decorator.js';
export { TenantLock, TenantLockedPolicy } from './organizations/tenants/tenant-lock.js';
export { SignInPolicies } from './organizations/sign-in-policy/sign-in-policies.service.js';
export { SUPPORT } from './organizations/support-access/support-access.dto.js';
export { SupportAccessService } from './organizations/support-access/support-access.service.js';
export { OwnerMails } from './organizations/members/owner-mails.js';
export { TenantOwners } from './organizations/members/tenant-owners.js';
export { GrantOperatorDto } from './operators/operator.dto.js';
export { OperatorsTag } from './operators/operator.dto.js';
export { OperatorDirectory } from './operators/operator-directory.js';
export { OperatorService } from './operators/operator.service.js';
export { ErasureService } from './accounts/erasure/erasure.service.js';
export { InvitationService } from './organizations/invitations/invitation.service.js';
export {
  InvitedNewcomers,
  type InvitedPerson,
} from './organizations/invitations/invited-newcomer.service.js';
export type { RolesOfMember } from './organizations/members/member-role.repository.js';
export { MemberRoleService } from './organizations/members/member-role.service.js';
export { AssignmentDirectory } from './organizations/assignments/assignment-directory.js';
export { LastOwnerError, MemberService } from './organizations/members/member.service.js';
export { ProfileDirectory } from './accounts/profile/profile-directory.js';
export { RegisterPermissionsDto } from './permissions/permission-module.dto.js';
export { PermissionModuleService } from './permissions/permission-module.service.js';
export { MODULE_NAME } from './permissions/permission-module.policy.js';
