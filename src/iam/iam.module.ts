import { Module } from '@nestjs/common';
import { AbilityModule, HeldScopes, ProofMethods } from '../ability/index.js';
import { AccountMails } from './accounts/account-mails.js';
import { AccountRepository } from './accounts/account.repository.js';
import { AccountService } from './accounts/account.service.js';
import { AuthController } from './accounts/auth.controller.js';
import { CredentialService } from './accounts/credential.service.js';
import { ErasureService } from './accounts/erasure.service.js';
import { ErasureList } from './accounts/erasure-list.js';
import { FailedSignIns } from './accounts/failed-sign-ins.js';
import { LoginThrottle } from './accounts/login-throttle.js';
import { MailErasure } from './accounts/mail-erasure.js';
import { MeController } from './accounts/me.controller.js';
import { NewPassword } from './accounts/new-password.js';
import { PasswordHasher } from './accounts/password-hasher.js';
import { PasswordResetRepository } from './accounts/password-reset.repository.js';
import { PasswordResetService } from './accounts/password-reset.service.js';
import { PasswordService } from './accounts/password.service.js';
import { PendingRegistrationRepository } from './accounts/pending-registration.repository.js';
import { ProfileDirectory } from './accounts/profile-directory.js';
import { RegistrationService } from './accounts/registration.service.js';
import { SecurityNotices } from './accounts/security-notices.js';
import { SuspensionService } from './accounts/suspension.service.js';
import { VerificationService } from './accounts/verification.service.js';
import { AuditTrail } from './audit/audit-trail.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditPolicy } from './audit/audit.policy.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.service.js';
import { InvitationMails } from './invitations/invitation-mails.js';
import { InvitationController } from './invitations/invitation.controller.js';
import { InvitationPolicy } from './invitations/invitation.policy.js';
import { InvitationRepository } from './invitations/invitation.repository.js';
import { InvitationService } from './invitations/invitation.service.js';
import { MemberController } from './members/member.controller.js';
import { MemberPolicy } from './members/member.policy.js';
import { MemberRepository } from './members/member.repository.js';
import { MemberService } from './members/member.service.js';
import { MembershipDirectory } from './members/membership-directory.js';
import { MembershipLimit } from './members/membership-limit.js';
import { OperatorRepository } from './operators/operator.repository.js';
import { OperatorService } from './operators/operator.service.js';
import { RoleController } from './roles/role.controller.js';
import { RolePolicy } from './roles/role.policy.js';
import { RoleRepository } from './roles/role.repository.js';
import { RoleService } from './roles/role.service.js';
import { TenantLock } from './tenants/tenant-lock.js';
import { TenantController } from './tenants/tenant.controller.js';
import { TenantPolicy } from './tenants/tenant.policy.js';
import { TenantRepository } from './tenants/tenant.repository.js';
import { TenantService } from './tenants/tenant.service.js';

const accounts = [
  AccountMails,
  AccountRepository,
  AccountService,
  CredentialService,
  ErasureList,
  ErasureService,
  FailedSignIns,
  LoginThrottle,
  MailErasure,
  NewPassword,
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
const tenants = [TenantLock, TenantPolicy, TenantRepository, TenantService];
const members = [MemberPolicy, MemberRepository, MemberService, MembershipDirectory, MembershipLimit];
const roles = [RolePolicy, RoleRepository, RoleService];
const invitations = [
  InvitationAcceptance,
  InvitationMails,
  InvitationPolicy,
  InvitationRepository,
  InvitationService,
];
const operators = [OperatorRepository, OperatorService];
const audit = [AuditPolicy, AuditTrail];

/** Who people are, and what they may do in which organization. */
@Module({
  imports: [AbilityModule],
  controllers: [
    AuthController,
    MeController,
    TenantController,
    MemberController,
    InvitationController,
    RoleController,
    AuditController,
  ],
  providers: [
    ...accounts,
    ...tenants,
    ...members,
    ...roles,
    ...invitations,
    ...operators,
    ...audit,
    { provide: HeldScopes, useExisting: MembershipDirectory },
    { provide: ProofMethods, useExisting: CredentialService },
  ],
  exports: [
    AccountService,
    AuditTrail,
    CredentialService,
    MembershipDirectory,
    OperatorService,
    SecurityNotices,
  ],
})
export class IamModule {}
