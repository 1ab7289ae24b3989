import { type Recorded, RecordedAs } from '../iam/index.js';
import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const ofDomains = { readScope: 'iam:domain:read' } as const;

class DomainEvent {
  @Output.ulid({ description: 'The domain.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0D1' })
  domainId: string;
}
const domain = { data: ({ id }: Recorded): DomainEvent => ({ domainId: id }) };

@RecordedAs(['domain.added'], domain)
@EventType('iam.domain.added', { description: 'A domain was added; it proves nothing yet.', ...ofDomains })
export class DomainAdded extends DomainEvent {}

@RecordedAs(['domain.verified'], domain)
@EventType('iam.domain.verified', { description: 'A domain was verified.', ...ofDomains })
export class DomainVerified extends DomainEvent {}

@EventType('iam.domain.lapsed', {
  description: 'The record of a verified domain was missing for seven days: it proves nothing any more.',
  ...ofDomains,
})
export class DomainLapsed extends DomainEvent {}

@RecordedAs(['domain.removed'], domain)
@EventType('iam.domain.removed', { description: 'A domain was removed.', ...ofDomains })
export class DomainRemoved extends DomainEvent {}

const ofConnections = { readScope: 'iam:connection:read' } as const;

class ConnectionEvent {
  @Output.ulid({ description: 'The connection.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  connectionId: string;
}
const connection = { data: ({ id }: Recorded): ConnectionEvent => ({ connectionId: id }) };

@RecordedAs(['connection.created'], connection)
@EventType('iam.connection.created', {
  description: 'A connection was created, as a draft.',
  ...ofConnections,
})
export class ConnectionCreated extends ConnectionEvent {}

@RecordedAs(
  [
    'connection.updated',
    'connection.rules-changed',
    'connection.certificate-added',
    'connection.certificate-removed',
    'connection.metadata-refreshed',
  ],
  connection,
)
@EventType('iam.connection.updated', {
  description: 'A connection was changed. With other settings it is a draft until it is activated again.',
  ...ofConnections,
})
export class ConnectionUpdated extends ConnectionEvent {}

class ChangeEvent extends ConnectionEvent {
  @Output.ulid({ description: 'The change.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  changeId: string;
}
const change = {
  data: ({ id, holderId }: Recorded): ChangeEvent => ({ connectionId: id, changeId: holderId }),
};

@RecordedAs(['connection.change-requested'], change)
@EventType('iam.connection.change-requested', {
  description: 'A change of a connection in use was requested; it waits for an owner.',
  ...ofConnections,
})
export class ConnectionChangeRequested extends ChangeEvent {}

@RecordedAs(['connection.change-confirmed'], change)
@EventType('iam.connection.change-confirmed', {
  description: 'An owner confirmed a change of a connection: it applies.',
  ...ofConnections,
})
export class ConnectionChangeConfirmed extends ChangeEvent {}

@RecordedAs(['connection.change-refused'], change)
@EventType('iam.connection.change-refused', {
  description: 'An owner refused a change of a connection.',
  ...ofConnections,
})
export class ConnectionChangeRefused extends ChangeEvent {}

class CertificateEvent extends ConnectionEvent {
  @Output.text({
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    shape: '64 hexadecimal digits',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: 'Fingerprint of the certificate by SHA-256.',
  })
  sha256: string;
  @Output.time({ description: 'End of its validity.' })
  notAfter: string;
}

@EventType('iam.connection.certificate-expiring', {
  description: 'A certificate of a connection expires in 30, 14, 7 days or 1 day.',
  ...ofConnections,
})
export class ConnectionCertificateExpiring extends CertificateEvent {}

@RecordedAs(['connection.test-started'], connection)
@EventType('iam.connection.test-started', {
  description: 'A test sign-in by a connection was started.',
  ...ofConnections,
})
export class ConnectionTestStarted extends ConnectionEvent {}

class RefusalEvent extends ConnectionEvent {
  @Output.word(['account', 'disabled', 'domain', 'member', 'metadata'] as const, {
    description:
      'Why: the account is not linked, the connection is disabled, the domain is not verified, the person is no member, or the metadata of the provider has expired.',
    example: 'domain',
  })
  why: string;
}

@RecordedAs(
  [
    'connection.refused-account',
    'connection.refused-disabled',
    'connection.refused-domain',
    'connection.refused-member',
    'connection.refused-metadata',
  ],
  {
    data: ({ id, action }: Recorded): RefusalEvent => ({
      connectionId: id,
      why: action.slice(action.indexOf('-') + 1),
    }),
  },
)
@EventType('iam.connection.sign-in-failed', {
  description:
    'A sign-in by a connection was refused; one event a minute at most. The actor is the connection.',
  ...ofConnections,
})
export class ConnectionSignInFailed extends RefusalEvent {}

@RecordedAs(['connection.groups-incomplete'], connection)
@EventType('iam.connection.groups-incomplete', {
  description:
    'A provider did not send all groups of a person, or too many to compare: the sign-in changed no roles and no membership; one event a minute at most. The actor is the connection.',
  ...ofConnections,
})
export class ConnectionGroupsIncomplete extends ConnectionEvent {}

@RecordedAs(['connection.activated'], connection)
@EventType('iam.connection.activated', {
  description: 'A connection was activated: people can sign in by it.',
  ...ofConnections,
})
export class ConnectionActivated extends ConnectionEvent {}

@RecordedAs(['connection.disabled'], connection)
@EventType('iam.connection.disabled', {
  description: 'A connection was disabled: it signs in no person.',
  ...ofConnections,
})
export class ConnectionDisabled extends ConnectionEvent {}

class SetupLinkEvent {
  @Output.ulid({ description: 'The link.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4' })
  setupLinkId: string;
}
const setupLink = { data: ({ id }: Recorded): SetupLinkEvent => ({ setupLinkId: id }) };
const ofSetupLinks = { readScope: 'iam:setup-link:read' } as const;

@RecordedAs(['setup-link.created'], setupLink)
@EventType('iam.setup-link.created', {
  description: 'A set-up link was created. It is the actor of what its holder does.',
  ...ofSetupLinks,
})
export class SetupLinkCreated extends SetupLinkEvent {}

@RecordedAs(['setup-link.revoked'], setupLink)
@EventType('iam.setup-link.revoked', {
  description: 'A set-up link was revoked, by a member, or by itself as it was found in public.',
  ...ofSetupLinks,
})
export class SetupLinkRevoked extends SetupLinkEvent {}

class EmergencyEvent {
  @Output.ulid({ description: 'The owner.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  userId: string;
}

@RecordedAs(['sign-in-policy.entered-in-emergency'], {
  data: ({ actorId }: Recorded): EmergencyEvent => ({ userId: actorId }),
})
@EventType('iam.sign-in-policy.entered-in-emergency', {
  description: 'An owner entered without the connection that the organization requires.',
  readScope: 'iam:sign-in-policy:read',
})
export class EnteredInEmergency extends EmergencyEvent {}

@RecordedAs(['connection.deleted'], connection)
@EventType('iam.connection.deleted', { description: 'A connection was deleted.', ...ofConnections })
export class ConnectionDeleted extends ConnectionEvent {}
