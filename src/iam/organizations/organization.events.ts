import { Output } from '../../platform/api/index.js';
import { EventType } from '../../platform/events/index.js';
import { CHANGED, USER_ID } from '../audit/audit.declarations.js';
import { type Recorded, RecordedAs, recordedEvents } from '../audit/recorded-as.js';

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

recordedEvents(
  MemberEvent,
  { ...ofMembers, ...member },
  {
    'iam.member.joined': 'A person became a member.',
    'iam.member.roles-changed': ['A member has other roles.', 'member.roles-changed', 'member.became-owner'],
    'iam.member.end-changed': 'A membership ends at another time.',
    'iam.member.removed': 'A member was removed.',
    'iam.member.suspended': 'A membership was suspended: the person has no access.',
    'iam.member.restored': 'A suspended membership was restored.',
    'iam.member.left': 'A member left.',
  },
);

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

class InvitationEvent {
  @Output.ulid({ description: 'The invitation.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4' })
  invitationId: string;
}
recordedEvents(
  InvitationEvent,
  { ...ofInvitations, data: ({ id }: Recorded): InvitationEvent => ({ invitationId: id }) },
  {
    'iam.invitation.created': 'A person was invited.',
    'iam.invitation.resent': 'An invitation was mailed again.',
    'iam.invitation.accepted': 'An invitation was accepted: the person is a member.',
    'iam.invitation.revoked': 'An invitation was revoked.',
  },
);

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

recordedEvents(
  RoleEvent,
  { ...ofRoles, ...role },
  {
    'iam.role.created': 'A role was created.',
    'iam.role.deleted': 'A role was deleted.',
  },
);

@RecordedAs(['role.updated'], {
  data: ({ id, changed }) => ({ roleId: id, changed: [...changed] }),
})
@EventType('iam.role.updated', { description: 'Name or scopes of a role were changed.', ...ofRoles })
export class RoleUpdated extends RoleEvent {
  @Output(CHANGED, { example: ['scopes'] })
  changed: string[];
}

class AssignmentEvent {
  @Output.ulid({ description: 'The assignment.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  assignmentId: string;
  @Output(USER_ID)
  userId: string;
}
const assignment = {
  data: ({ id, holderId }: Recorded): AssignmentEvent => ({ assignmentId: id, userId: holderId }),
};

recordedEvents(
  AssignmentEvent,
  { ...ofRoles, ...assignment },
  {
    'iam.role.assigned': 'A member got a role on a thing.',
    'iam.role.unassigned': 'A member lost a role on a thing.',
  },
);

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

recordedEvents(
  PartnershipEvent,
  { ...ofPartnerships, ...partnership },
  {
    'iam.partnership.offered': 'The organization offered another one access for its people.',
    'iam.partnership.changed': 'A partnership offers something else, or ends at another time.',
    'iam.partnership.accepted': 'A partner accepted a partnership.',
  },
);

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

recordedEvents(
  AccessRequestEvent,
  { ...ofRequests, ...accessRequest },
  {
    'iam.access-request.created': 'A member asked for access.',
    'iam.access-request.approved': 'A request for access was approved.',
    'iam.access-request.denied': 'A request for access was denied.',
    'iam.access-request.withdrawn': 'A request for access was withdrawn.',
  },
);

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

recordedEvents(
  ThingEvent,
  { ...ofThings, ...thing },
  {
    'access.thing.registered': 'A thing of another service was registered, or is a part of others.',
    'access.thing.removed': 'A registered thing was removed.',
  },
);

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

recordedEvents(
  TenantEvent,
  { ...ofTenants, ...tenant },
  {
    'iam.tenant.created': 'An organization was created.',
    'iam.support-access.granted': 'An owner let support into an organization for some hours.',
    'iam.support-access.ended': 'An organization ended support access.',
    'iam.tenant.archived': 'An organization was archived.',
    'iam.tenant.restored': 'An archived organization was restored.',
    'iam.tenant.deletion-scheduled': 'The deletion of an organization was scheduled.',
    'iam.tenant.deletion-cancelled': 'The deletion of an organization was cancelled.',
  },
);

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

@RecordedAs(['tenant.deleted'], { ...tenant, concerns: 'platform' })
@EventType('iam.tenant.deleted', {
  description: 'An organization was deleted with all its data.',
  ...ofTenants,
})
export class TenantDeleted extends TenantEvent {}
