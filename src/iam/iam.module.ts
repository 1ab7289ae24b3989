import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule, HeldScopes } from '../ability/index.js';
import { EventAudience } from '../platform/events/index.js';
import { ChosenLocales } from '../platform/web/index.js';
import { AccountMails } from './accounts/account-mails.js';
import { AccountRepository } from './accounts/account.repository.js';
import { AccountService } from './accounts/account.service.js';
import { AuthController } from './accounts/auth.controller.js';
import { CredentialService } from './accounts/credentials/credential.service.js';
import { EmailChangeController } from './accounts/email-change/email-change.controller.js';
import { EmailChangeEntity } from './accounts/email-change/email-change.entity.js';
import { EmailChangeMails } from './accounts/email-change/email-change-mails.js';
import { EmailChangeRepository } from './accounts/email-change/email-change.repository.js';
import { EmailChangeService } from './accounts/email-change/email-change.service.js';
import { EmailUndoEntity } from './accounts/email-change/email-undo.entity.js';
import { EmailUndoRepository } from './accounts/email-change/email-undo.repository.js';
import { EmailUndoService } from './accounts/email-change/email-undo.service.js';
import { EmailWriter } from './accounts/email-change/email-writer.js';
import { KnownAddresses } from './accounts/email-change/known-addresses.js';
import { ErasureService } from './accounts/erasure/erasure.service.js';
import { ErasureList } from './accounts/erasure/erasure-list.js';
import { AccountData } from './accounts/export/account-data.js';
import { AccountExportEntity } from './accounts/export/account-export.entity.js';
import { ExportController } from './accounts/export/export.controller.js';
import { ExportService } from './accounts/export/export.service.js';
import { FailedSignIns } from './accounts/credentials/failed-sign-ins.js';
import { ImportedPasswords } from './accounts/credentials/imported/imported-passwords.js';
import { LegacyQuestions } from './accounts/credentials/legacy/legacy-questions.js';
import { LegacySignIn } from './accounts/credentials/legacy/legacy-sign-in.js';
import { LoginThrottle } from './accounts/credentials/login-throttle.js';
import { MailErasure } from './accounts/erasure/mail-erasure.js';
import { MeController } from './accounts/profile/me.controller.js';
import { PasswordBlocklist } from './accounts/credentials/password-blocklist.js';
import { PasswordWriter } from './accounts/credentials/password-writer.js';
import { PasswordHasher } from './accounts/credentials/password-hasher.js';
import { PasswordResetRepository } from './accounts/credentials/password-reset.repository.js';
import { PasswordResetService } from './accounts/credentials/password-reset.service.js';
import { PasswordService } from './accounts/credentials/password.service.js';
import { PendingRegistrationRepository } from './accounts/registration/pending-registration.repository.js';
import { ProfileDirectory } from './accounts/profile/profile-directory.js';
import { RegistrationService } from './accounts/registration/registration.service.js';
import { SecurityNotices } from './accounts/credentials/security-notices.js';
import { SuspensionService } from './accounts/suspension/suspension.service.js';
import { VerificationService } from './accounts/registration/verification.service.js';
import { AuditTrail } from './audit/audit-trail.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditPolicy } from './audit/audit.policy.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotentResponseEntity } from './idempotency/idempotent-response.entity.js';
import { IdempotentResponseRepository } from './idempotency/idempotent-response.repository.js';
import { PeopleExport } from './export/people-export.service.js';
import { ImportRepository } from './import/import.repository.js';
import { PeopleImport } from './import/people-import.service.js';
import { BrandingController } from './organizations/branding/branding.controller.js';
import { BrandingEntity } from './organizations/branding/branding.entity.js';
import { BrandingPolicy } from './organizations/branding/branding.policy.js';
import { BrandingRepository } from './organizations/branding/branding.repository.js';
import { BrandingService } from './organizations/branding/branding.service.js';
import { LogoController } from './organizations/branding/logo.controller.js';
import { ServiceNames } from './organizations/branding/service-names.js';
import { InvitationAcceptance } from './organizations/invitations/invitation-acceptance.service.js';
import { InvitationExpiry } from './organizations/invitations/invitation-expiry.js';
import { InvitationMails } from './organizations/invitations/invitation-mails.js';
import { InvitationController } from './organizations/invitations/invitation.controller.js';
import { InvitationPreviews } from './organizations/invitations/invitation-preview.service.js';
import { InvitationValidity } from './organizations/invitations/invitation-validity.js';
import { InvitationPolicy } from './organizations/invitations/invitation.policy.js';
import { InvitationRepository } from './organizations/invitations/invitation.repository.js';
import { InvitationService } from './organizations/invitations/invitation.service.js';
import { MemberController } from './organizations/members/member.controller.js';
import { MemberPersonal } from './organizations/members/member-personal.js';
import { MemberPolicy } from './organizations/members/member.policy.js';
import { MemberRepository } from './organizations/members/member.repository.js';
import { MemberService } from './organizations/members/member.service.js';
import { TenantOwners } from './organizations/members/tenant-owners.js';
import { MembershipDirectory } from './organizations/members/membership-directory.js';
import { MembershipLimit } from './organizations/members/membership-limit.js';
import { OperatorController } from './operators/operator.controller.js';
import { OperatorPolicy } from './operators/operator.policy.js';
import { OperatorRepository } from './operators/operator.repository.js';
import { OperatorService } from './operators/operator.service.js';
import { PermissionController } from './organizations/roles/permission.controller.js';
import { PermissionService } from './organizations/roles/permission.service.js';
import { RoleController } from './organizations/roles/role.controller.js';
import { RolePolicy } from './organizations/roles/role.policy.js';
import { RoleRepository } from './organizations/roles/role.repository.js';
import { RoleService } from './organizations/roles/role.service.js';
import { SignInPolicyController } from './organizations/sign-in-policy/sign-in-policy.controller.js';
import { SignInPolicyPolicy } from './organizations/sign-in-policy/sign-in-policy.policy.js';
import { SignInPolicyService } from './organizations/sign-in-policy/sign-in-policy.service.js';
import { TenantDeletionCleanup } from './organizations/tenants/deletion/tenant-deletion.cleanup.js';
import { TenantDeletionController } from './organizations/tenants/deletion/tenant-deletion.controller.js';
import { TenantDeletionMails } from './organizations/tenants/deletion/tenant-deletion-mails.js';
import { TenantDeletionRepository } from './organizations/tenants/deletion/tenant-deletion.repository.js';
import { TenantDeletionService } from './organizations/tenants/deletion/tenant-deletion.service.js';
import { OwnershipMails } from './organizations/tenants/ownership/ownership-mails.js';
import { OwnershipTransferController } from './organizations/tenants/ownership/ownership-transfer.controller.js';
import { OwnershipTransferService } from './organizations/tenants/ownership/ownership-transfer.service.js';
import { TenantLock } from './organizations/tenants/tenant-lock.js';
import { TenantController } from './organizations/tenants/tenant.controller.js';
import { TenantPolicy } from './organizations/tenants/tenant.policy.js';
import { TenantRepository } from './organizations/tenants/tenant.repository.js';
import { TenantService } from './organizations/tenants/tenant.service.js';
import { AccountEntity } from './accounts/account.entity.js';
import { PasswordResetEntity } from './accounts/credentials/password-reset.entity.js';
import { LoginThrottleEntity } from './accounts/credentials/login-throttle.entity.js';
import { PendingRegistrationEntity } from './accounts/registration/pending-registration.entity.js';
import { RetiredSlugEntity } from './organizations/tenants/retired-slug.entity.js';
import { RetiredSlugRepository } from './organizations/tenants/retired-slug.repository.js';
import { TenantEntity } from './organizations/tenants/tenant.entity.js';
import { RoleEntity } from './organizations/roles/role.entity.js';
import { MemberEntity } from './organizations/members/member.entity.js';
import { MemberRoleEntity } from './organizations/members/member-role.entity.js';
import { InvitationEntity } from './organizations/invitations/invitation.entity.js';
import { SupportAccessController } from './organizations/support-access/support-access.controller.js';
import { SupportAccessPolicy } from './organizations/support-access/support-access.policy.js';
import { SupportAccessRepository } from './organizations/support-access/support-access.repository.js';
import { SupportAccessService } from './organizations/support-access/support-access.service.js';
import { AuditEventEntity } from './audit/audit-event.entity.js';
import { AuditDetailsEntity } from './audit/audit-details.entity.js';
import { OperatorEntity } from './operators/operator.entity.js';
import { MemberAudience } from './organizations/members/member-audience.js';
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
  TenantEntity,
  RetiredSlugEntity,
  RoleEntity,
  MemberEntity,
  MemberRoleEntity,
  InvitationEntity,
  BrandingEntity,
  AuditEventEntity,
  AuditDetailsEntity,
  OperatorEntity,
  IdempotentResponseEntity,
];

const accounts = [
  AccountData,
  AccountMails,
  AccountRepository,
  AccountService,
  CredentialService,
  EmailChangeMails,
  EmailChangeRepository,
  EmailChangeService,
  EmailUndoRepository,
  EmailUndoService,
  EmailWriter,
  KnownAddresses,
  ErasureList,
  ErasureService,
  ExportService,
  FailedSignIns,
  ImportedPasswords,
  LegacyQuestions,
  LegacySignIn,
  LoginThrottle,
  MailErasure,
  PasswordBlocklist,
  PasswordWriter,
  PasswordHasher,
  PasswordResetRepository,
  PasswordResetService,
  PasswordService,
  PendingRegistrationRepository,
  ProfileDirectory,
  RegistrationService,
  SecurityNotices,
  SuspensionService,
  VerificationService,
];
const idempotency = [Idempotency, IdempotentResponseRepository];
const tenants = [
  OwnershipMails,
  OwnershipTransferService,
  TenantLock,
  TenantPolicy,
  TenantRepository,
  RetiredSlugRepository,
  TenantService,
];
const deletions = [
  TenantDeletionCleanup,
  TenantDeletionMails,
  TenantDeletionRepository,
  TenantDeletionService,
];
const members = [
  TenantOwners,
  MemberPersonal,
  MemberPolicy,
  MemberRepository,
  MemberService,
  MembershipDirectory,
  MembershipLimit,
];
const roles = [PermissionService, RolePolicy, RoleRepository, RoleService];
const invitations = [
  InvitationAcceptance,
  InvitationExpiry,
  InvitationMails,
  InvitationPolicy,
  InvitationPreviews,
  InvitationRepository,
  InvitationService,
  InvitationValidity,
];
const signInPolicies = [SignInPolicyPolicy, SignInPolicyService];
const brandings = [BrandingPolicy, BrandingRepository, BrandingService, ServiceNames];
const supportAccess = [SupportAccessPolicy, SupportAccessRepository, SupportAccessService];
const operators = [OperatorPolicy, OperatorRepository, OperatorService];
const audit = [AuditPolicy, AuditTrail];
const transfers = [ImportRepository, PeopleExport, PeopleImport];

/** Accounts, organizations with members, roles and invitations, operators and the audit trail. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), AbilityModule],
  controllers: [
    AuthController,
    MeController,
    EmailChangeController,
    ExportController,
    TenantController,
    TenantDeletionController,
    OwnershipTransferController,
    SignInPolicyController,
    SupportAccessController,
    BrandingController,
    LogoController,
    MemberController,
    InvitationController,
    RoleController,
    PermissionController,
    AuditController,
    OperatorController,
  ],
  providers: [
    ...accounts,
    ...idempotency,
    ...tenants,
    ...deletions,
    ...members,
    ...roles,
    ...invitations,
    ...signInPolicies,
    ...supportAccess,
    ...brandings,
    ...operators,
    ...audit,
    ...transfers,
    { provide: EventAudience, useClass: MemberAudience },
    { provide: HeldScopes, useExisting: MembershipDirectory },
    { provide: ChosenLocales, useExisting: ProfileDirectory },
  ],
  exports: [
    EmailChangeService,
    PeopleExport,
    AccountService,
    AuditTrail,
    BrandingService,
    CredentialService,
    KnownAddresses,
    ErasureService,
    ExportService,
    InvitationService,
    LoginThrottle,
    MemberService,
    MembershipDirectory,
    MembershipLimit,
    OperatorService,
    PeopleImport,
    PasswordResetService,
    RoleService,
    SecurityNotices,
    SignInPolicyService,
    SupportAccessService,
    SuspensionService,
    TenantLock,
    TenantOwners,
    TenantService,
  ],
})
export class IamModule {}
