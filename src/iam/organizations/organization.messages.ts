import { declareMessages } from '../../platform/messages/index.js';

/** Reasons, mails and permissions of organizations. */
const messages = declareMessages({
  'tenant.archived': 'The organization is archived. Restore it first.',
  'tenant.archived-already': 'The organization is archived already.',
  'tenant.not-archived': 'The organization is not archived.',
  'tenant.deletion-scheduled-already': 'The deletion of the organization is scheduled already.',
  'tenant.deletion-not-scheduled': 'No deletion of the organization is scheduled.',
  'tenant.slug-reserved': 'This name is reserved for the service. Choose another one.',
  'tenant.slug-taken': 'Another organization has this name in its address. Choose another one.',
  'tenant.owners-only': 'Only an owner can transfer the ownership.',
  'tenant.last-owner-leaves': 'The last owner cannot leave. Make another member an owner first.',
  'member.last-owner':
    'The last owner can be neither removed nor demoted. Make another member an owner first.',
  'member.last-owner-suspended': 'The last owner cannot be suspended. Make another member an owner first.',
  'member.no-change': 'give roles, or the end of the membership',
  'member.suspended-already': 'The membership is suspended already.',
  'member.not-suspended': 'The membership is not suspended.',
  'member.own-roles': 'You cannot change your own roles. Ask another owner or admin.',
  'member.owners-only': 'Only an owner can do this to an owner.',
  'member.exceeds-caller':
    'The member holds permissions that you do not hold yourself. Ask a member who holds them.',
  'role.built-in': 'A built-in role cannot be changed or deleted.',
  'role.exceeds-caller': 'The role holds permissions that you do not hold yourself.',
  'role.in-use':
    'The role is in use. Take it from its members and service accounts, and revoke invitations to it first.',
  'assignment.owner': 'An owner owns the whole organization. Choose another role.',
  'assignment.past': 'must be in the future',
  'assignment.unknown-thing': 'The organization has no such thing.',
  'assignment.too-many': 'A member can have {max} roles on things. End some first.',
  'invitation.accepted': 'The invitation has been accepted already.',
  'invitation.revoked': 'The invitation has been revoked already.',
  'invitation.expired': 'The invitation has expired.',
  'invitation.lacks-role':
    'A role of the invitation has been deleted. Invite the address again with other roles.',
  'invitation.owners-only': 'Only an owner can make an owner.',
  'invitation.exceeds-caller':
    'The invitation gives permissions that you do not hold yourself. Ask a member who holds them.',
  'invitation.other-address':
    'The invitation was sent to another address. Sign in with the account of that address.',
  'sign-in-policy.sso-not-tested':
    'Test the active connection yourself first. The test must have passed within the last day.',
  'sign-in-policy.sso-no-emergency-owner':
    'An owner needs a second factor or a passkey, and a sign-in with it within 90 days, for emergencies.',
  'sign-in-policy.own-sign-in':
    'Your own sign-in does not satisfy this policy. Sign in with what it requires, then set it.',
  'mail.invitation.subject': 'You have been invited',
  'mail.invitation.invited':
    'You have been invited to the organization {organization}. Sign in with this email address, or register an account for it first, then accept within seven days.',
  'mail.invitation.invited-without-name':
    'You have been invited to an organization. Sign in with this email address, or register an account for it first, then accept within seven days.',
  'mail.invitation.unexpected': 'If you did not expect it, ignore this mail.',
  'mail.invitation.accept': 'Accept the invitation',
  'mail.ownership-transferred.subject': 'You have transferred an organization',
  'mail.ownership-transferred.done':
    'Another member is an owner of the organization {organization} in your place. You stay a member.',
  'mail.ownership-transferred.without-name':
    'Another member is an owner of an organization in your place. You stay a member.',
  'mail.ownership-transferred.what-now':
    'If you did not do this, change your password and ask an owner for help.',
  'mail.ownership-received.subject': 'You are an owner of an organization',
  'mail.ownership-received.done':
    'An owner has transferred the ownership of the organization {organization} to you.',
  'mail.ownership-received.without-name': 'An owner has transferred the ownership of an organization to you.',
  'mail.ownership-received.what-now':
    'You can do everything in it: manage members and roles, archive and delete it.',
  'mail.tenant-deletion.subject': 'An organization will be deleted',
  'mail.tenant-deletion.scheduled':
    'An owner has scheduled the deletion of the organization {organization} for {time}.',
  'mail.tenant-deletion.scheduled-without-name':
    'An owner has scheduled the deletion of an organization of yours for {time}.',
  'mail.tenant-deletion.what-goes':
    'Everything in it goes: members, roles, invitations and the audit trail. Accounts stay. This cannot be undone.',
  'mail.tenant-deletion.cancel': 'Until then each owner can cancel the deletion or restore the organization.',
  'mail.access-ending.subject': 'Your access ends soon',
  'mail.access-ending.membership': 'Your membership in {organization} ends on {date}.',
  'mail.access-ending.role': 'Your role {role} in {organization} ends on {date}.',
  'mail.access-ending.what-now': 'If you need it for longer, ask an owner or admin.',
  'mail.access-ending.an-organization': 'an organization',
  'mail.access-ending.a-role': 'of yours',
  'scope.tenant': 'Organization',
  'scope.tenant.read': 'View the organization',
  'scope.tenant.read.description': 'See its name and state.',
  'scope.tenant.update': 'Rename the organization',
  'scope.tenant.update.description': 'Change its name for all members.',
  'scope.tenant.archive': 'Archive the organization',
  'scope.tenant.archive.description': 'Stop all changes in it. It can be restored.',
  'scope.tenant.restore': 'Restore the organization',
  'scope.tenant.restore.description': 'Allow changes in an archived organization again.',
  'scope.tenant.delete': 'Delete the organization',
  'scope.tenant.delete.description': 'Schedule the deletion of an archived organization.',
  'scope.tenant.read-deletion': 'View the deletion',
  'scope.tenant.read-deletion.description': 'See what a deletion removes, and when.',
  'scope.tenant.cancel-deletion': 'Cancel the deletion',
  'scope.tenant.cancel-deletion.description': 'Keep an organization whose deletion is scheduled.',
  'scope.tenant.transfer-ownership': 'Transfer the ownership',
  'scope.tenant.transfer-ownership.description': 'Make another member the owner in one’s own place.',
  'scope.tenant.leave': 'Leave the organization',
  'scope.tenant.leave.description': 'End one’s own membership.',
  'support-access.not-on-request': 'The sign-in policy does not let support in on request.',
  'support-access.not-granted': 'Support has no access to end.',
  'mail.support-access.subject': 'Support may enter your organization',
  'mail.support-access.text':
    'An owner has let support enter {organization} until {until}. Support may act as a member until then.',
  'mail.support-access.end': 'The audit trail shows what support does. You can end the access at any time.',
  'mail.support-access.your-organization': 'your organization',
  'impersonation.not-allowed': 'The organization does not let support in.',
  'mail.members-imported.subject': 'Support has added members to your organization',
  'mail.members-imported.text':
    'Support has added people to {organization} by an import, with roles that it has chosen.',
  'mail.members-imported.end':
    'The audit trail shows whom, and who did it. If you did not ask for this, remove them, and let support in no longer.',
  'scope.support-access': 'Access of support',
  'scope.support-access.read': 'See whether support may enter',
  'scope.support-access.grant': 'Let support in for some hours',
  'scope.support-access.end': 'End the access of support',
  'scope.sign-in-policy': 'Sign-in policy',
  'scope.sign-in-policy.read': 'View the sign-in policy',
  'scope.sign-in-policy.read.description': 'See what members have to prove, and how many could not enter.',
  'scope.sign-in-policy.update': 'Change the sign-in policy',
  'scope.sign-in-policy.update.description': 'Require second factors and recent sign-ins of all members.',
  'scope.member': 'Members',
  'scope.member.read': 'View members',
  'scope.member.read.description': 'See names, addresses, roles and last activity.',
  'scope.member.update': 'Change roles of members',
  'scope.member.update.description': 'Give and take roles, up to the permissions that one holds oneself.',
  'scope.member.remove': 'Remove members',
  'scope.member.remove.description': 'End the membership of other people.',
  'scope.member.suspend': 'Suspend members',
  'scope.member.suspend.description': 'Take access from members without ending their membership.',
  'scope.member.restore': 'Restore members',
  'scope.member.restore.description': 'Give suspended members their access again.',
  'scope.role': 'Roles',
  'scope.role.read': 'View roles',
  'scope.role.read.description': 'See all roles and their permissions.',
  'scope.role.create': 'Create roles',
  'scope.role.create.description': 'Add roles with permissions that one holds oneself.',
  'scope.role.update': 'Change roles',
  'scope.role.update.description': 'Change name and permissions of the organization’s own roles.',
  'scope.role.delete': 'Delete roles',
  'scope.role.delete.description': 'Delete roles that are not in use.',
  'scope.invitation': 'Invitations',
  'scope.invitation.read': 'View invitations',
  'scope.invitation.read.description': 'See who has been invited, and to which roles.',
  'scope.invitation.create': 'Invite people',
  'scope.invitation.create.description': 'Invite addresses to roles that one may give.',
  'scope.invitation.resend': 'Send invitations again',
  'scope.invitation.resend.description': 'Send a new link; the previous one ends.',
  'scope.invitation.revoke': 'Revoke invitations',
  'scope.invitation.revoke.description': 'End an invitation before it is accepted.',
  'scope.branding': 'Look',
  'scope.branding.read': 'View the look of the organization',
  'scope.branding.update': 'Change the look of the organization',
  'scope.branding.update.description': 'Change the name shown, the logo, the color and the sender of mails.',
  'branding.looks-like-service': 'This name could be taken for that of the service. Choose another one.',
  'branding.low-contrast':
    'has a contrast of {contrast} to 1 with white, where {min} to 1 is needed: choose a darker color',
  'branding.logo-type': 'must be a PNG or WebP image',
  'branding.logo-bytes': 'must be at most {max} KiB large',
  'branding.logo-pixels': 'must be at most {max} pixels wide and high',
  'branding.logo-animated': 'must not be animated',
  'branding.logo-damaged': 'is damaged, or holds more than an image',
  'tenant.name-differs': 'must be the name of the organization',
  'tenant.mails-used-up':
    'Your organization has sent its {max} mails of today outside its verified domains. Verify the domain, try again tomorrow, or ask the operators of this service for more.',
  'tenant.too-many-today': 'You can create {max} organizations a day. Try again tomorrow.',
  'member.too-many-organizations':
    'You are in {max} organizations, the maximum. Leave one that you do not need; where you are the last owner, make another member an owner first.',
  'role.key-taken': 'There is a role with the key {key} already.',
  'role.too-many': 'An organization can have {max} roles of its own. Delete one that is not in use.',
  'role.unknown': 'There is no role {key} in this organization.',
  'role.named-exceeds-caller': 'The role {key} holds permissions that you do not hold yourself.',
  'role.unknown-permission': 'There is no such permission of an organization.',
  'role.permission-not-held': 'You do not hold this permission yourself.',
  'invitation.open-already':
    'This address has an open invitation already. Send that one again, or revoke it first.',
  'invitation.member-already': 'This address belongs to a member already.',
  'invitation.too-many': 'This address has been sent too many invitations. Try again in an hour.',
  'mail.other-connections.your-organization': 'your organization',
  'mail.other-connections.subject': 'Sign-ins of other organizations open yours',
  'mail.other-connections.text':
    'People who signed in only by the provider of another organization can enter {organization}. In new organizations they cannot.',
  'mail.other-connections.change': 'To refuse them, change the sign-in policy of your organization.',
  'invitation.too-many-open':
    'Your organization has {max} open invitations, the maximum. Revoke some, wait until some are accepted, or ask the operators of this service for more.',
  'invitation.account-already': 'This address has an account. Sign in to accept the invitation.',
  'invitation.not-valid':
    'The invitation is not valid any more. Ask the member who invited you for a new one.',
});

type OrganizationMessages = typeof messages;

declare module '../../platform/messages/index.js' {
  interface MessageIds extends OrganizationMessages {}
}
