import { Output } from '../../platform/api/index.js';
import { EventType } from '../../platform/events/index.js';
import { CHANGED, USER_ID } from '../audit/audit.declarations.js';
import { RecordedAs, type Recorded } from '../audit/recorded-as.js';

const ofMembers = { readScope: 'iam:member:read', personal: { source: 'member', field: 'userId' } } as const;
const ofInvitations = {
  readScope: 'iam:invitation:read',
  personal: { source: 'invitation', field: 'invitationId' },
} as const;
const ofRoles = { readScope: 'iam:role:read' } as const;
const ofTenants = { readScope: 'iam:tenant:read', platform: true } as const;

class MemberEvent {
  @Output(USER_ID)
  userId: string;
}
const member = { data: ({ id }: Recorded): MemberEvent => ({ userId: id }) };

@RecordedAs(['member.joined'], member)
@EventType('iam.member.joined', { description: 'A person became a member.', ...ofMembers })
export class MemberJoined extends MemberEvent {}

@RecordedAs(['member.roles-changed', 'member.became-owner'], member)
@EventType('iam.member.roles-changed', { description: 'A member has other roles.', ...ofMembers })
export class MemberRolesChanged extends MemberEvent {}

@RecordedAs(['member.end-changed'], member)
@EventType('iam.member.end-changed', { description: 'A membership ends at another time.', ...ofMembers })
export class MemberEndChanged extends MemberEvent {}

class EndingMemberEvent extends MemberEvent {
  @Output.time({ description: 'When the access ends.' })
  until: string;
}

@EventType('iam.membership.expiring', {
  description: 'A membership ends soon: a week before, and a day before.',
  ...ofMembers,
})
export class MembershipExpiring extends EndingMemberEvent {}

@RecordedAs(['membership.expired'], { ...member, byOperator: true })
@EventType('iam.membership.expired', { description: 'A membership has ended on time.', ...ofMembers })
export class MembershipExpired extends MemberEvent {}

@RecordedAs(['member.removed'], member)
@EventType('iam.member.removed', { description: 'A member was removed.', ...ofMembers })
export class MemberRemoved extends MemberEvent {}

@RecordedAs(['member.suspended'], member)
@EventType('iam.member.suspended', {
  description: 'A membership was suspended: the person has no access.',
  ...ofMembers,
})
export class MemberSuspended extends MemberEvent {}

@RecordedAs(['member.restored'], member)
@EventType('iam.member.restored', { description: 'A suspended membership was restored.', ...ofMembers })
export class MemberRestored extends MemberEvent {}

@RecordedAs(['member.left'], member)
@EventType('iam.member.left', { description: 'A member left.', ...ofMembers })
export class MemberLeft extends MemberEvent {}

class InvitationEvent {
  @Output.ulid({ description: 'The invitation.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4' })
  invitationId: string;
}
const invitation = { data: ({ id }: Recorded): InvitationEvent => ({ invitationId: id }) };

@RecordedAs(['invitation.created'], invitation)
@EventType('iam.invitation.created', { description: 'A person was invited.', ...ofInvitations })
export class InvitationCreated extends InvitationEvent {}

@RecordedAs(['invitation.resent'], invitation)
@EventType('iam.invitation.resent', { description: 'An invitation was mailed again.', ...ofInvitations })
export class InvitationResent extends InvitationEvent {}

@RecordedAs(['invitation.accepted'], invitation)
@EventType('iam.invitation.accepted', {
  description: 'An invitation was accepted: the person is a member.',
  ...ofInvitations,
})
export class InvitationAccepted extends InvitationEvent {}

@RecordedAs(['invitation.revoked'], invitation)
@EventType('iam.invitation.revoked', { description: 'An invitation was revoked.', ...ofInvitations })
export class InvitationRevoked extends InvitationEvent {}

@EventType('iam.invitation.expired', {
  description: 'An invitation expired before it was accepted.',
  ...ofInvitations,
})
export class InvitationExpired extends InvitationEvent {}

class RoleEvent {
  @Output.ulid({ description: 'The role.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  roleId: string;
}
const role = { data: ({ id }: Recorded): RoleEvent => ({ roleId: id }) };

@RecordedAs(['role.created'], role)
@EventType('iam.role.created', { description: 'A role was created.', ...ofRoles })
export class RoleCreated extends RoleEvent {}

@RecordedAs(['role.updated'], {
  data: ({ id, changed }) => ({ roleId: id, changed: [...changed] }),
})
@EventType('iam.role.updated', { description: 'Name or scopes of a role were changed.', ...ofRoles })
export class RoleUpdated extends RoleEvent {
  @Output(CHANGED, { example: ['scopes'] })
  changed: string[];
}

@RecordedAs(['role.deleted'], role)
@EventType('iam.role.deleted', { description: 'A role was deleted.', ...ofRoles })
export class RoleDeleted extends RoleEvent {}

class AssignmentEvent {
  @Output.ulid({ description: 'The assignment.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  assignmentId: string;
  @Output(USER_ID)
  userId: string;
}
const assignment = {
  data: ({ id, holderId }: Recorded): AssignmentEvent => ({ assignmentId: id, userId: holderId }),
};

@RecordedAs(['role.assigned'], assignment)
@EventType('iam.role.assigned', { description: 'A member got a role on a thing.', ...ofRoles })
export class RoleAssigned extends AssignmentEvent {}

@RecordedAs(['role.unassigned'], assignment)
@EventType('iam.role.unassigned', { description: 'A member lost a role on a thing.', ...ofRoles })
export class RoleUnassigned extends AssignmentEvent {}

class EndingRoleEvent {
  @Output.ulid({
    nullable: true,
    description: 'The assignment; null for a role in the whole organization.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6',
  })
  assignmentId: string | null;
  @Output(USER_ID)
  userId: string;
  @Output.ulid({ description: 'The role.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  roleId: string;
}

@EventType('iam.role.expiring', {
  description: "A member's role ends soon: a week before, and a day before.",
  ...ofRoles,
})
export class RoleExpiring extends EndingRoleEvent {
  @Output.time({ description: 'When the access ends.' })
  until: string;
}

@EventType('iam.role.expired', { description: "A member's role has ended on time.", ...ofRoles })
export class RoleExpired extends EndingRoleEvent {}

class PartnershipEvent {
  @Output.ulid({ description: 'The partnership.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  partnershipId: string;
}
const partnership = { data: ({ holderId }: Recorded): PartnershipEvent => ({ partnershipId: holderId }) };
const ofPartnerships = { readScope: 'iam:partnership:read' } as const;

@RecordedAs(['partnership.offered'], partnership)
@EventType('iam.partnership.offered', {
  description: 'The organization offered another one access for its people.',
  ...ofPartnerships,
})
export class PartnershipOffered extends PartnershipEvent {}

@RecordedAs(['partnership.changed'], partnership)
@EventType('iam.partnership.changed', {
  description: 'A partnership offers something else, or ends at another time.',
  ...ofPartnerships,
})
export class PartnershipChanged extends PartnershipEvent {}

@RecordedAs(['partnership.accepted'], partnership)
@EventType('iam.partnership.accepted', {
  description: 'A partner accepted a partnership.',
  ...ofPartnerships,
})
export class PartnershipAccepted extends PartnershipEvent {}

@RecordedAs(['partnership.declined', 'partnership.left', 'partnership.withdrawn'], partnership)
@EventType('iam.partnership.ended', {
  description: 'A side declined, withdrew or left a partnership, or its time is over.',
  ...ofPartnerships,
})
export class PartnershipEnded extends PartnershipEvent {}

class PartnerPersonEvent extends PartnershipEvent {
  @Output(USER_ID)
  userId: string;
}
const partnerPerson = {
  data: ({ id, holderId }: Recorded): PartnerPersonEvent => ({ partnershipId: holderId, userId: id }),
};

@RecordedAs(['partnership.person-added', 'partnership.person-changed'], partnerPerson)
@EventType('iam.partnership.person-put', {
  description: 'A partner put a person on a partnership, or gave them something else of it.',
  ...ofPartnerships,
})
export class PartnerPersonPut extends PartnerPersonEvent {}

@RecordedAs(['partnership.person-removed'], partnerPerson)
@EventType('iam.partnership.person-removed', {
  description: 'A person of a partner no longer works in the host.',
  ...ofPartnerships,
})
export class PartnerPersonRemoved extends PartnerPersonEvent {}
class AccessRequestEvent {
  @Output.ulid({ description: 'The request.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  accessRequestId: string;
  @Output(USER_ID)
  userId: string;
}
const accessRequest = {
  data: ({ id, holderId }: Recorded): AccessRequestEvent => ({ accessRequestId: id, userId: holderId }),
};
const ofRequests = { readScope: 'iam:access-request:decide' } as const;

@RecordedAs(['access-request.created'], accessRequest)
@EventType('iam.access-request.created', { description: 'A member asked for access.', ...ofRequests })
export class AccessRequestCreated extends AccessRequestEvent {}

@RecordedAs(['access-request.approved'], accessRequest)
@EventType('iam.access-request.approved', {
  description: 'A request for access was approved.',
  ...ofRequests,
})
export class AccessRequestApproved extends AccessRequestEvent {}

@RecordedAs(['access-request.denied'], accessRequest)
@EventType('iam.access-request.denied', { description: 'A request for access was denied.', ...ofRequests })
export class AccessRequestDenied extends AccessRequestEvent {}

@RecordedAs(['access-request.withdrawn'], accessRequest)
@EventType('iam.access-request.withdrawn', {
  description: 'A request for access was withdrawn.',
  ...ofRequests,
})
export class AccessRequestWithdrawn extends AccessRequestEvent {}

@EventType('iam.access-request.expired', {
  description: 'A request for access expired before it was decided.',
  ...ofRequests,
})
export class AccessRequestExpired extends AccessRequestEvent {}

class ThingEvent {
  @Output.text({
    max: 200,
    description: 'The thing.',
    example: 'gatehouse:///freight/orders/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  thing: string;
}
const thing = { data: ({ holderId }: Recorded): ThingEvent => ({ thing: `gatehouse:///${holderId}` }) };
const ofThings = { readScope: 'access:thing:read' } as const;

@RecordedAs(['thing.registered'], thing)
@EventType('access.thing.registered', {
  description: 'A thing of another service was registered, or is a part of others.',
  ...ofThings,
})
export class ThingRegistered extends ThingEvent {}

@RecordedAs(['thing.removed'], thing)
@EventType('access.thing.removed', { description: 'A registered thing was removed.', ...ofThings })
export class ThingRemoved extends ThingEvent {}

class TenantEvent {
  @Output.ulid({ description: 'The organization.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  organizationId: string;
}
const tenant = { data: ({ id }: Recorded): TenantEvent => ({ organizationId: id }) };

@RecordedAs(['access-request.configured'], tenant)
@EventType('iam.access-request-policy.changed', {
  description: 'Members may ask for access for another time.',
  readScope: 'iam:access-request:decide',
})
export class AccessRequestPolicyChanged extends TenantEvent {}

@RecordedAs(['tenant.created'], tenant)
@EventType('iam.tenant.created', { description: 'An organization was created.', ...ofTenants })
export class TenantCreated extends TenantEvent {}

@RecordedAs(['tenant.renamed'], {
  data: ({ id }) => ({ organizationId: id, changed: ['name'] }),
})
@RecordedAs(['tenant.slug-changed'], {
  data: ({ id }) => ({ organizationId: id, changed: ['slug'] }),
})
@RecordedAs(['tenant.audit-retention-changed'], {
  data: ({ id }) => ({ organizationId: id, changed: ['auditRetention'] }),
})
@EventType('iam.tenant.updated', {
  description:
    'An organization has another name or name in addresses, or keeps its audit trail for another time.',
  ...ofTenants,
})
export class TenantUpdated extends TenantEvent {
  @Output(CHANGED)
  changed: string[];
}

@RecordedAs(['sign-in-policy.changed', 'sign-in-policy.sso-lifted'], tenant)
@EventType('iam.sign-in-policy.changed', {
  description: 'An organization asks something else of sign-ins.',
  readScope: 'iam:sign-in-policy:read',
})
export class SignInPolicyChanged extends TenantEvent {}

@RecordedAs(['branding.changed'], tenant)
@EventType('iam.branding.changed', {
  description: 'An organization has another look on pages and in mails.',
  readScope: 'iam:branding:read',
})
export class BrandingChanged extends TenantEvent {}

@RecordedAs(['support-access.granted'], tenant)
@EventType('iam.support-access.granted', {
  description: 'An owner let support into an organization for some hours.',
  ...ofTenants,
})
export class SupportAccessGranted extends TenantEvent {}

@RecordedAs(['support-access.ended'], tenant)
@EventType('iam.support-access.ended', {
  description: 'An organization ended support access.',
  ...ofTenants,
})
export class SupportAccessEnded extends TenantEvent {}

@RecordedAs(['tenant.ownership-transferred'], {
  data: ({ tenantId, id }) => ({ organizationId: String(tenantId), userId: id }),
})
@EventType('iam.tenant.ownership-transferred', {
  description: 'An owner made another member the owner.',
  ...ofTenants,
})
export class OwnershipTransferred extends TenantEvent {
  @Output(USER_ID)
  userId: string;
}

@RecordedAs(['tenant.archived'], tenant)
@EventType('iam.tenant.archived', { description: 'An organization was archived.', ...ofTenants })
export class TenantArchived extends TenantEvent {}

@RecordedAs(['tenant.restored'], tenant)
@EventType('iam.tenant.restored', { description: 'An archived organization was restored.', ...ofTenants })
export class TenantRestored extends TenantEvent {}

@RecordedAs(['tenant.deletion-scheduled'], tenant)
@EventType('iam.tenant.deletion-scheduled', {
  description: 'The deletion of an organization was scheduled.',
  ...ofTenants,
})
export class TenantDeletionScheduled extends TenantEvent {}

@RecordedAs(['tenant.deletion-cancelled'], tenant)
@EventType('iam.tenant.deletion-cancelled', {
  description: 'The deletion of an organization was cancelled.',
  ...ofTenants,
})
export class TenantDeletionCancelled extends TenantEvent {}

@RecordedAs(['tenant.deleted'], { ...tenant, concerns: 'platform' })
@EventType('iam.tenant.deleted', {
  description: 'An organization was deleted with all its data.',
  ...ofTenants,
})
export class TenantDeleted extends TenantEvent {}
