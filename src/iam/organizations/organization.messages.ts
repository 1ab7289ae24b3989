import { declareMessages } from '../../platform/messages/index.js';

/** Reasons and mails about organizations. */
const messages = declareMessages({
  'tenant.archived': 'The organization is archived. Restore it first.',
  'tenant.archived-already': 'The organization is archived already.',
  'tenant.not-archived': 'The organization is not archived.',
  'tenant.deletion-scheduled-already': 'The deletion of the organization is scheduled already.',
  'tenant.deletion-not-scheduled': 'No deletion of the organization is scheduled.',
  'tenant.owners-only': 'Only an owner can transfer the ownership.',
  'tenant.last-owner-leaves': 'The last owner cannot leave. Make another member an owner first.',
  'member.last-owner':
    'The last owner can be neither removed nor demoted. Make another member an owner first.',
  'member.own-roles': 'You cannot change your own roles. Ask another owner or admin.',
  'member.owners-only': 'Only an owner can do this to an owner.',
  'member.exceeds-caller':
    'The member holds permissions that you do not hold yourself. Ask a member who holds them.',
  'role.built-in': 'A built-in role cannot be changed or deleted.',
  'role.exceeds-caller': 'The role holds permissions that you do not hold yourself.',
  'role.in-use': 'The role is in use. Take it from its members and revoke invitations to it first.',
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
  'mail.invitation.subject': 'You have been invited',
  'mail.invitation.invited':
    'You have been invited to the organization {organization}. Sign in with this e-mail address, or register an account for it first, then accept within seven days.',
  'mail.invitation.invited-without-name':
    'You have been invited to an organization. Sign in with this e-mail address, or register an account for it first, then accept within seven days.',
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
});

type OrganizationMessages = typeof messages;

declare module '../../platform/messages/index.js' {
  interface MessageIds extends OrganizationMessages {}
}
