import { AccessRequestController } from './access-requests/access-request.controller.js';
import { AccessRequestEntity, AccessRequestPolicyEntity } from './access-requests/access-request.entity.js';
import { AccessDecisionService } from './access-requests/access-decision.service.js';
import { AccessRequestExpiry } from './access-requests/access-request-expiry.js';
import { AccessRequestMails } from './access-requests/access-request-mails.js';
import { AccessRequestPolicy } from './access-requests/access-request.policy.js';
import { AccessRequestRepository } from './access-requests/access-request.repository.js';
import { AccessRequestService } from './access-requests/access-request.service.js';
import { AssignmentController } from './assignments/assignment.controller.js';
import { AssignmentEntity } from './assignments/assignment.entity.js';
import { AssignmentDirectory } from './assignments/assignment-directory.js';
import { AssignmentRepository } from './assignments/assignment.repository.js';
import { AssignmentService } from './assignments/assignment.service.js';
import { BrandingController } from './branding/branding.controller.js';
import { BrandingEntity } from './branding/branding.entity.js';
import {
  BrandingPolicy,
  DecisionPolicy,
  SignInPolicyPolicy,
  ThingPolicy,
} from './tenants/own-tenant.policy.js';
import { BrandingRepository } from './branding/branding.repository.js';
import { BrandingService } from './branding/branding.service.js';
import { LogoController } from './branding/logo.controller.js';
import { ServiceNames } from './branding/service-names.js';
import { EndNotices } from './ends/end-notices.js';
import { EndsRepository } from './ends/ends.repository.js';
import { AccessExpiry } from './ends/access-expiry.js';
import { InvitationAcceptance } from './invitations/invitation-acceptance.service.js';
import { InvitedNewcomers } from './invitations/invited-newcomer.service.js';
import { InvitationExpiry } from './invitations/invitation-expiry.js';
import { InvitationMails } from './invitations/invitation-mails.js';
import { InvitationPreviews } from './invitations/invitation-preview.service.js';
import { InvitationValidity } from './invitations/invitation-validity.js';
import { InvitationController } from './invitations/invitation.controller.js';
import { InvitationEntity } from './invitations/invitation.entity.js';
import { InvitationPolicy } from './invitations/invitation.policy.js';
import { InvitationRepository } from './invitations/invitation.repository.js';
import { InvitationService } from './invitations/invitation.service.js';
import { RetiredSlugEntity, TenantEntity, TenantLimitsEntity } from './tenants/tenant.entity.js';
import { TenantLimitsRepository } from './limits/tenant-limits.repository.js';
import { TenantLimitsService } from './limits/tenant-limits.service.js';
import { AccessCache } from './members/access-cache.js';
import { MemberChanges } from './members/member-changes.js';
import { MemberErasure, OwnerSuccession } from './members/member-erasure.js';
import { MemberPersonal } from './members/member-personal.js';
import { MemberEntity, MemberRoleEntity } from './members/member.entity.js';
import { MemberRoleRepository } from './members/member-role.repository.js';
import { MemberController } from './members/member.controller.js';
import { MemberPolicy } from './members/member.policy.js';
import { MemberRepository } from './members/member.repository.js';
import { MemberRoleService } from './members/member-role.service.js';
import { MemberDirectories } from './members/member-directories.js';
import { MemberListingService } from './members/member-listing.service.js';
import { MemberService } from './members/member.service.js';
import { MembershipDirectory } from './members/membership-directory.js';
import { MemberAuthority } from './members/member-authority.js';
import { MembershipLimit } from './members/membership-limit.js';
import { OwnerMails } from './members/owner-mails.js';
import { TenantOwners } from './members/tenant-owners.js';
import { OfferedAddress } from './partnerships/offered-address.js';
import { PartnerAccessController } from './partnerships/partner-access.controller.js';
import { PartnerAccessPolicy } from './partnerships/partner-access.policy.js';
import { PartnerAccessService } from './partnerships/partner-access.service.js';
import { PartnerGrantRepository } from './partnerships/partner-grant.repository.js';
import { PartnerSight } from './partnerships/partner-sight.js';
import { PartnerPersonEntity, PartnershipEntity } from './partnerships/partnership.entity.js';
import { OfferCheck } from './partnerships/offer-check.js';
import { OfferValidity } from './partnerships/offer-validity.js';
import { PartnershipCleanup } from './partnerships/partnership-cleanup.js';
import { PartnershipController } from './partnerships/partnership.controller.js';
import { PartnershipMails } from './partnerships/partnership-mails.js';
import { PartnershipPolicy } from './partnerships/partnership.policy.js';
import { PartnershipRecords } from './partnerships/partnership-records.js';
import { PartnershipRepository } from './partnerships/partnership.repository.js';
import { PartnershipService } from './partnerships/partnership.service.js';
import { RoleController } from './roles/role.controller.js';
import { RoleEntity } from './roles/role.entity.js';
import { RolePolicy } from './roles/role.policy.js';
import { RoleRepository } from './roles/role.repository.js';
import { RoleChangeService } from './roles/role-change.service.js';
import { RoleService } from './roles/role.service.js';
import { OtherConnectionsNotice } from './sign-in-policy/other-connections-notice.js';
import { SignInPolicies } from './sign-in-policy/sign-in-policies.service.js';
import { SupportAccessController } from './support-access/support-access.controller.js';
import { SupportAccessPolicy } from './support-access/support-access.policy.js';
import { SupportAccessRepository } from './support-access/support-access.repository.js';
import { SupportAccessService } from './support-access/support-access.service.js';
import { TenantDeletionMails } from './tenants/deletion/tenant-deletion-mails.js';
import { TenantRemoval } from './tenants/deletion/tenant-removal.js';
import { TenantDeletionCleanup } from './tenants/deletion/tenant-deletion.cleanup.js';
import { TenantDeletionController } from './tenants/deletion/tenant-deletion.controller.js';
import { TenantDeletionRepository } from './tenants/deletion/tenant-deletion.repository.js';
import { TenantDeletionService } from './tenants/deletion/tenant-deletion.service.js';
import { OwnershipTransferController } from './tenants/ownership/ownership-transfer.controller.js';
import { OwnershipTransferService } from './tenants/ownership/ownership-transfer.service.js';
import { ThingController } from './things/thing.controller.js';
import {
  RegisteredParentEntity,
  RegisteredThingCountEntity,
  RegisteredThingEntity,
} from './things/registered-thing.entity.js';
import { ThingParents } from './things/thing-parents.js';
import { ThingRepository } from './things/thing.repository.js';
import { ThingService } from './things/thing.service.js';
import { RetiredSlugRepository } from './tenants/retired-slug.repository.js';
import { TenantLock } from './tenants/tenant-lock.js';
import { TenantMails } from './tenants/tenant-mails.js';
import { TenantController } from './tenants/tenant.controller.js';
import { TenantPolicy } from './tenants/tenant.policy.js';
import { TenantRepository } from './tenants/tenant.repository.js';
import { TenantCreationService } from './tenants/tenant-creation.service.js';
import { SlugCheck } from './tenants/slug-check.js';
import { TenantStateChanges } from './tenants/tenant-state-changes.js';
import { TenantService } from './tenants/tenant.service.js';

export const organizationEntities = [
  TenantEntity,
  RetiredSlugEntity,
  RoleEntity,
  MemberEntity,
  MemberRoleEntity,
  AssignmentEntity,
  PartnershipEntity,
  PartnerPersonEntity,
  AccessRequestEntity,
  AccessRequestPolicyEntity,
  RegisteredThingEntity,
  RegisteredParentEntity,
  RegisteredThingCountEntity,
  InvitationEntity,
  TenantLimitsEntity,
  BrandingEntity,
];

export const organizationControllers = [
  TenantController,
  TenantDeletionController,
  OwnershipTransferController,
  SupportAccessController,
  BrandingController,
  LogoController,
  MemberController,
  AssignmentController,
  PartnershipController,
  PartnerAccessController,
  AccessRequestController,
  ThingController,
  InvitationController,
  RoleController,
];

const tenants = [
  TenantMails,
  OwnershipTransferService,
  TenantLock,
  TenantPolicy,
  TenantRepository,
  RetiredSlugRepository,
  TenantCreationService,
  SlugCheck,
  TenantStateChanges,
  TenantService,
];
const deletions = [
  TenantRemoval,
  TenantDeletionCleanup,
  TenantDeletionMails,
  TenantDeletionRepository,
  TenantDeletionService,
];
const members = [
  AccessCache,
  MemberChanges,
  OwnerSuccession,
  MemberErasure,
  OwnerMails,
  TenantOwners,
  MemberPersonal,
  MemberPolicy,
  MemberRepository,
  MemberRoleRepository,
  MemberRoleService,
  MemberDirectories,
  MemberListingService,
  MemberService,
  MembershipDirectory,
  MemberAuthority,
  MembershipLimit,
];
const assignments = [AssignmentDirectory, AssignmentRepository, AssignmentService];
const partnerships = [
  OfferedAddress,
  PartnerAccessPolicy,
  PartnerAccessService,
  PartnerGrantRepository,
  PartnerSight,
  OfferCheck,
  OfferValidity,
  PartnershipCleanup,
  PartnershipMails,
  PartnershipPolicy,
  PartnershipRecords,
  PartnershipRepository,
  PartnershipService,
];
const accessRequests = [
  AccessDecisionService,
  AccessRequestExpiry,
  AccessRequestMails,
  AccessRequestPolicy,
  AccessRequestRepository,
  AccessRequestService,
];
const things = [DecisionPolicy, ThingParents, ThingPolicy, ThingRepository, ThingService];
const ends = [AccessExpiry, EndNotices, EndsRepository];
const roles = [RoleChangeService, RolePolicy, RoleRepository, RoleService];
const invitations = [
  InvitationAcceptance,
  InvitedNewcomers,
  InvitationExpiry,
  InvitationMails,
  InvitationPolicy,
  InvitationPreviews,
  InvitationRepository,
  InvitationService,
  InvitationValidity,
];
const limits = [TenantLimitsRepository, TenantLimitsService];
const signInPolicies = [OtherConnectionsNotice, SignInPolicyPolicy, SignInPolicies];
const brandings = [BrandingPolicy, BrandingRepository, BrandingService, ServiceNames];
const supportAccess = [SupportAccessPolicy, SupportAccessRepository, SupportAccessService];

/** Services of organizations: tenants with their members, roles, invitations and settings. */
export const organizationProviders = [
  ...tenants,
  ...deletions,
  ...members,
  ...assignments,
  ...partnerships,
  ...accessRequests,
  ...things,
  ...ends,
  ...roles,
  ...invitations,
  ...limits,
  ...signInPolicies,
  ...supportAccess,
  ...brandings,
];
