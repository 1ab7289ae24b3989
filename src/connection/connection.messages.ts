import { declareMessages } from '../platform/messages/index.js';

/** Reasons, mails and permissions of connections and domains. */
const messages = declareMessages({
  'domain.in-use': 'A connection uses the domain. Take the domain from the connection first.',
  'connection.active-already': 'The connection is active already.',
  'connection.exceeds-caller':
    'People who hold more than you can sign in by this connection. Ask an owner to change it.',
  'setup-link.exceeds-creator':
    'People who hold more than the creator of the link can sign in by this connection. Ask an owner for a new link.',
  'connection.owners-only': 'Only an owner can confirm or refuse it.',
  'connection.change-outdated':
    'The settings have changed since it was requested. Refuse it, and have it requested again.',
  'connection.requester-ended':
    'Who requested it can no longer change the connection, or the set-up link was revoked. Refuse it.',
  'connection.too-many-waiting': 'Ten changes wait already. An owner confirms or refuses one first.',
  'scope.connection.confirm': 'Confirm changes of connections',
  'mail.connection-change.waits-subject': 'A change of your single sign-on waits for an owner',
  'mail.connection-change.applied-subject': 'Your single sign-on was changed',
  'mail.connection-change.waits':
    'A change of what a connection of {organization} accepts was requested. Nothing changes until an owner confirms it on the page of the connection.',
  'mail.connection-change.applied': 'A connection of {organization} accepts something else from now on.',
  'mail.connection-change.actor': 'By: {actor}',
  'mail.connection-change.by-member': 'a member',
  'mail.connection-change.by-setup-link': 'a set-up link',
  'mail.connection-change.by-provider': 'the metadata of the provider',
  'mail.connection-change.added': 'New certificate (SHA-256): {sha256}',
  'mail.connection-change.removed': 'Removed certificate (SHA-256): {sha256}',
  'mail.connection-change.check':
    'The holder of an accepted key can sign in as each member who uses the connection. If you do not know this change, refuse it or disable the connection.',
  'connection.not-tested': 'The connection has not been tested since its settings changed. Test it first.',
  'scope.connection': 'Connections',
  'scope.connection.read': 'View connections',
  'scope.connection.create': 'Create connections',
  'scope.connection.update': 'Change and disable connections',
  'scope.connection.activate': 'Activate connections',
  'scope.connection.test': 'Test connections',
  'scope.connection.delete': 'Delete connections',
  'scope.domain': 'Domains',
  'scope.domain.read': 'View domains',
  'scope.domain.create': 'Add domains',
  'scope.domain.verify': 'Verify domains',
  'scope.domain.delete': 'Remove domains',
  'connection.enforced': 'The sign-in policy requires this connection. Make single sign-on optional first.',
  'mail.emergency-entry.subject': 'An owner signed in without single sign-on',
  'mail.emergency-entry.text':
    'An owner has entered {organization} by a second factor or passkey, without the provider that it requires.',
  'mail.emergency-entry.check':
    'If it was none of you, end the sessions of the owners and check the audit trail.',
  'scope.setup-link': 'Set-up links',
  'scope.setup-link.read': 'View set-up links',
  'scope.setup-link.create': 'Create set-up links',
  'scope.setup-link.revoke': 'Revoke set-up links',
  'setup-link.invalid':
    'The link is not valid: it has expired or was revoked. Ask the organization for a new one.',
  'setup-link.other-intent': 'The link is not for this. Ask the organization for another one.',
  'setup-link.one-connection': 'The link has its connection already. Change that one.',
  'setup-link.one-directory': 'The link has its directory already.',
  'setup-link.active-domains':
    'The connection is active. Its domains are changed by members of the organization.',
  'setup-link.not-held': 'needs {scope}, which you do not have',
  'setup-link.too-many': 'There can be {max} active set-up links. Revoke one first.',
  'setup-link.too-many-mails': 'This address got too many set-up links. Try again in an hour.',
  'mail.setup-link.subject': 'Set up single sign-on',
  'mail.setup-link.an-organization': 'An organization',
  'mail.setup-link.text': '{organization} asks you to connect its identity provider. You need no account.',
  'mail.setup-link.secret':
    'The link is valid for seven days. Anyone who has it can change the set-up: do not forward it.',
  'mail.setup-link.unexpected': 'If you do not expect this message, ignore it.',
  'mail.setup-link.open': 'Open the set-up',
  'connection.only-certificate': 'It is the only certificate of the connection. Add another one first.',
  'mail.certificate-expiring.subject': 'A certificate of your single sign-on expires',
  'mail.certificate-expiring.text':
    'A certificate of the identity provider of {organization} expires on {date}.',
  'mail.certificate-expiring.effect':
    'If your provider signs by it after that day, members cannot sign in. Add the new certificate to the connection before.',
  'mail.domain-lapsed.subject': 'A domain is no longer verified',
  'mail.domain-lapsed.your-organization': 'your organization',
  'mail.domain-lapsed.text':
    'The record that proves the domain {domain} of {organization} has been missing for seven days.',
  'mail.domain-lapsed.by-operator':
    'The operator of the service has withdrawn the domain {domain} from {organization}.',
  'mail.domain-lapsed.effect':
    'Members whose sign-in is linked can still sign in. New people of this domain cannot. Restore the record, then verify the domain again.',
});

declare module '../platform/messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}
