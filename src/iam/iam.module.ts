import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { AccountListRepository } from './accounts/account-list.repository.js';
import { AccountMails } from './accounts/account-mails.js';
import { AccountRepository } from './accounts/account.repository.js';
import { ProfileService } from './accounts/profile/profile.service.js';
import { AccountService } from './accounts/account.service.js';
import { AuthController } from './accounts/auth.controller.js';
import { CredentialService } from './accounts/credentials/credential.service.js';
import { EmailChangeController } from './accounts/email-change/email-change.controller.js';
import { EmailChangeEntity, EmailUndoEntity } from './accounts/email-change/email-change.entity.js';
import { EmailChangeMails } from './accounts/email-change/email-change-mails.js';
import { EmailChangeRepository } from './accounts/email-change/email-change.repository.js';
import { EmailChangeService } from './accounts/email-change/email-change.service.js';
import { DirectoryEmails } from './accounts/email-change/directory-emails.js';
import { EmailConfirmation } from './accounts/email-change/email-confirmation.js';
import { EmailConfirmationService } from './accounts/email-change/email-confirmation.service.js';
import { EmailReplacement } from './accounts/email-change/email-replacement.js';
import { PasswordResetController } from './accounts/credentials/password-reset.controller.js';
import { EmailUndoRepository } from './accounts/email-change/email-undo.repository.js';
import { EmailUndoService } from './accounts/email-change/email-undo.service.js';
import { EmailWriter } from './accounts/email-change/email-writer.js';
import { KnownAddressRepository } from './accounts/email-change/known-address.repository.js';
import { ErasureService } from './accounts/erasure/erasure.service.js';
import { ErasureList } from './accounts/erasure/erasure-list.js';
import { AccountDataRepository } from './accounts/export/account-data.repository.js';
import { AccountExportEntity } from './accounts/export/account-export.entity.js';
import { ExportController } from './accounts/export/export.controller.js';
import { AccountExportRepository } from './accounts/export/account-export.repository.js';
import { ExportMaker } from './accounts/export/export-maker.js';
import { ExportService } from './accounts/export/export.service.js';
import { FailedSignIns } from './accounts/credentials/failed-sign-ins.js';
import { StoredSchemeRepository } from './accounts/credentials/imported/stored-scheme.repository.js';
import { ImportedPasswords } from './accounts/credentials/imported/imported-passwords.js';
import { LegacyQuestions } from './accounts/credentials/legacy/legacy-questions.js';
import { LegacySignIn } from './accounts/credentials/legacy/legacy-sign-in.js';
import { SignInCounts } from './accounts/credentials/sign-in-counts.js';
import { LoginThrottle } from './accounts/credentials/login-throttle.js';
import { LoginThrottleRepository } from './accounts/credentials/login-throttle.repository.js';
import { ManagedAccountRepository } from './accounts/email-change/managed-account.repository.js';
import { MailErasure } from './accounts/erasure/mail-erasure.js';
import { PasswordBlocklist } from './accounts/credentials/password-blocklist.js';
import { PasswordWriter } from './accounts/credentials/password-writer.js';
import { PasswordHasher } from './accounts/credentials/password-hasher.js';
import { PasswordResetRepository } from './accounts/credentials/password-reset.repository.js';
import { PasswordResetService } from './accounts/credentials/password-reset.service.js';
import { PasswordService } from './accounts/credentials/password.service.js';
import { StoredPasswords } from './accounts/credentials/stored-passwords.js';
import { PendingRegistrationRepository } from './accounts/registration/pending-registration.repository.js';
import { ProfileDirectory } from './accounts/profile/profile-directory.js';
import { RegistrationMailing } from './accounts/registration/registration-mailing.js';
import { RegistrationService } from './accounts/registration/registration.service.js';
import { SecurityNotices } from './accounts/credentials/security-notices.js';
import { SuspensionService } from './accounts/suspension/suspension.service.js';
import { VerificationService } from './accounts/registration/verification.service.js';
import { AuditNames } from './audit/audit-names.js';
import { AuditEventRepository, FormerNameRepository } from './audit/audit-event.repository.js';
import { AuditSearch } from './audit/audit-search.js';
import { AuditTrail } from './audit/audit-trail.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditPolicy } from './audit/audit.policy.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { PeopleExportRepository } from './export/people-export.repository.js';
import { PeopleExport } from './export/people-export.service.js';
import { ImportRepository } from './import/import.repository.js';
import { ImportNotices } from './import/import-notices.js';
import { ImportedAccounts } from './import/imported-accounts.js';
import { ImportedMemberships } from './import/imported-memberships.js';
import { ImportWriter } from './import/import-writer.js';
import { ImportInvitations } from './import/import-invitations.js';
import { ImportRoles } from './import/import-roles.js';
import { PeopleImport } from './import/people-import.service.js';
import { AssignmentService } from './organizations/assignments/assignment.service.js';
import { BrandingService } from './organizations/branding/branding.service.js';
import { InvitationService } from './organizations/invitations/invitation.service.js';
import { InvitedNewcomers } from './organizations/invitations/invited-newcomer.service.js';
import { MemberRoleService } from './organizations/members/member-role.service.js';
import { AssignmentDirectory } from './organizations/assignments/assignment-directory.js';
import { MemberService } from './organizations/members/member.service.js';
import { OwnerMails } from './organizations/members/owner-mails.js';
import { TenantOwners } from './organizations/members/tenant-owners.js';
import { MemberAuthority } from './organizations/members/member-authority.js';
import { MembershipDirectory } from './organizations/members/membership-directory.js';
import { ThingParents } from './organizations/things/thing-parents.js';
import { MembershipLimit } from './organizations/members/membership-limit.js';
import { OperatorController } from './operators/operator.controller.js';
import { OperatorPolicy } from './operators/operator.policy.js';
import { OperatorRepository } from './operators/operator.repository.js';
import { OperatorDirectory } from './operators/operator-directory.js';
import { OperatorService } from './operators/operator.service.js';
import { PermissionModuleController } from './permissions/permission-module.controller.js';
import { PermissionModuleEntity } from './permissions/permission-module.entity.js';
import { PermissionModulePolicy } from './permissions/permission-module.policy.js';
import { PermissionModuleRepository } from './permissions/permission-module.repository.js';
import { PermissionModuleService } from './permissions/permission-module.service.js';
import { RoleService } from './organizations/roles/role.service.js';
import { SignInPolicies } from './organizations/sign-in-policy/sign-in-policies.service.js';
import { TenantLimitsService } from './organizations/limits/tenant-limits.service.js';
import { TenantLock } from './organizations/tenants/tenant-lock.js';
import { TenantService } from './organizations/tenants/tenant.service.js';
import { AccountEntity } from './accounts/account.entity.js';
import { PasswordResetEntity } from './accounts/credentials/password-reset.entity.js';
import { LoginThrottleEntity } from './accounts/credentials/login-throttle.entity.js';
import { PendingRegistrationEntity } from './accounts/registration/pending-registration.entity.js';
import { SupportAccessService } from './organizations/support-access/support-access.service.js';
import { AuditDetailsEntity, AuditEventEntity, FormerNameEntity } from './audit/audit-event.entity.js';
import { OperatorEntity } from './operators/operator.entity.js';
import {
  organizationControllers,
  organizationEntities,
  organizationProviders,
} from './organizations/organization-parts.js';
import './accounts/account.errors.js';
import './accounts/account.events.js';
import './organizations/organization.events.js';

const entities = [
  AccountEntity,
  AccountExportEntity,
  EmailChangeEntity,
  EmailUndoEntity,
  PasswordResetEntity,
  LoginThrottleEntity,
  PendingRegistrationEntity,
  ...organizationEntities,
  AuditEventEntity,
  AuditDetailsEntity,
  FormerNameEntity,
  OperatorEntity,
  PermissionModuleEntity,
];

const accounts = [
  AccountDataRepository,
  AccountExportRepository,
  AccountListRepository,
  AccountMails,
  AccountRepository,
  AccountService,
  ProfileService,
  CredentialService,
  EmailChangeMails,
  EmailChangeRepository,
  DirectoryEmails,
  EmailChangeService,
  EmailConfirmation,
  EmailConfirmationService,
  EmailReplacement,
  EmailUndoRepository,
  EmailUndoService,
  EmailWriter,
  KnownAddressRepository,
  ErasureList,
  ErasureService,
  ExportMaker,
  ExportService,
  FailedSignIns,
  ImportedPasswords,
  StoredPasswords,
  StoredSchemeRepository,
  LegacyQuestions,
  LegacySignIn,
  LoginThrottle,
  LoginThrottleRepository,
  SignInCounts,
  MailErasure,
  ManagedAccountRepository,
  PasswordBlocklist,
  PasswordWriter,
  PasswordHasher,
  PasswordResetRepository,
  PasswordResetService,
  PasswordService,
  PendingRegistrationRepository,
  ProfileDirectory,
  RegistrationMailing,
  RegistrationService,
  SecurityNotices,
  SuspensionService,
  VerificationService,
];
const operators = [OperatorDirectory, OperatorPolicy, OperatorRepository, OperatorService];
const permissions = [PermissionModulePolicy, PermissionModuleRepository, PermissionModuleService];
const audit = [AuditEventRepository, AuditNames, AuditPolicy, AuditSearch, AuditTrail, FormerNameRepository];
const transfers = [
  ImportNotices,
  ImportRepository,
  ImportInvitations,
  ImportRoles,
  ImportedAccounts,
  ImportedMemberships,
  ImportWriter,
  PeopleExport,
  PeopleExportRepository,
  PeopleImport,
];

/**
 * Accounts, organizations with members, roles and invitations, operators, import, exports, audit
 * trail and idempotency.
 */
@Module({
  imports: [TypeOrmModule.forFeature(entities), AbilityModule, IdempotencyModule],
  controllers: [
    AuthController,
    PasswordResetController,
    EmailChangeController,
    ExportController,
    ...organizationControllers,
    AuditController,
    OperatorController,
    PermissionModuleController,
  ],
  providers: [...accounts, ...organizationProviders, ...operators, ...permissions, ...audit, ...transfers],
  exports: [
    AssignmentService,
    DirectoryEmails,
    EmailChangeService,
    PeopleExport,
    AccountService,
    AssignmentDirectory,
    ProfileService,
    AuditEventRepository,
    AuditNames,
    AuditSearch,
    AuditTrail,
    BrandingService,
    CredentialService,
    KnownAddressRepository,
    ErasureService,
    ExportService,
    InvitationService,
    InvitedNewcomers,
    LoginThrottle,
    SignInCounts,
    ManagedAccountRepository,
    MemberRoleService,
    MemberService,
    MemberAuthority,
    MembershipDirectory,
    ThingParents,
    MembershipLimit,
    OperatorDirectory,
    OperatorService,
    PeopleImport,
    PermissionModuleService,
    ProfileDirectory,
    PasswordHasher,
    PasswordResetService,
    PasswordService,
    RoleService,
    SecurityNotices,
    SignInPolicies,
    SupportAccessService,
    SuspensionService,
    TenantLimitsService,
    TenantLock,
    OwnerMails,
    TenantOwners,
    TenantService,
  ],
})
export class IamModule {}
