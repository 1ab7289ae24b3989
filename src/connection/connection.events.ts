import { type Recorded, recordedEvents } from '../iam/index.js';
import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const ofDomains = { readScope: 'iam:domain:read' } as const;

class DomainEvent {
  @Output.ulid({ description: 'The domain.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0D1' })
  domainId: string;
}
const domains = { ...ofDomains, data: ({ id }: Recorded): DomainEvent => ({ domainId: id }) };

recordedEvents(DomainEvent, domains, {
  'iam.domain.added': 'A domain was added; it proves nothing yet.',
  'iam.domain.verified': 'A domain was verified.',
  'iam.domain.removed': 'A domain was removed.',
});

@EventType('iam.domain.lapsed', {
  description: 'The record of a verified domain was missing for seven days: it proves nothing any more.',
  ...ofDomains,
})
export class DomainLapsed extends DomainEvent {}

const ofConnections = { readScope: 'iam:connection:read' } as const;

class ConnectionEvent {
  @Output.ulid({ description: 'The connection.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  connectionId: string;
}
const connections = { ...ofConnections, data: ({ id }: Recorded): ConnectionEvent => ({ connectionId: id }) };

recordedEvents(ConnectionEvent, connections, {
  'iam.connection.created': 'A connection was created, as a draft.',
  'iam.connection.updated': [
    'A connection was changed. With other settings it is a draft until it is activated again.',
    'connection.updated',
    'connection.rules-changed',
    'connection.certificate-added',
    'connection.certificate-removed',
    'connection.metadata-refreshed',
  ],
  'iam.connection.test-started': 'A test sign-in by a connection was started.',
  'iam.connection.groups-incomplete':
    'A provider did not send all groups of a person, or too many to compare: the sign-in changed no roles and no membership; one event a minute at most. The actor is the connection.',
  'iam.connection.activated': 'A connection was activated: people can sign in by it.',
  'iam.connection.disabled': 'A connection was disabled: it signs in no person.',
  'iam.connection.deleted': 'A connection was deleted.',
});

class ChangeEvent extends ConnectionEvent {
  @Output.ulid({ description: 'The change.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  changeId: string;
}
const changes = {
  ...ofConnections,
  data: ({ id, holderId }: Recorded): ChangeEvent => ({ connectionId: id, changeId: holderId }),
};

recordedEvents(ChangeEvent, changes, {
  'iam.connection.change-requested': 'A change of a connection in use was requested; it waits for an owner.',
  'iam.connection.change-confirmed': 'An owner confirmed a change of a connection: it applies.',
  'iam.connection.change-refused': 'An owner refused a change of a connection.',
});

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

class RefusalEvent extends ConnectionEvent {
  @Output.word(['account', 'disabled', 'domain', 'member', 'metadata'] as const, {
    description:
      'Why: the account is not linked, the connection is disabled, the domain is not verified, the person is no member, or the metadata of the provider has expired.',
    example: 'domain',
  })
  why: string;
}
const refusals = {
  ...ofConnections,
  data: ({ id, action }: Recorded): RefusalEvent => ({
    connectionId: id,
    why: action.slice(action.indexOf('-') + 1),
  }),
};

recordedEvents(RefusalEvent, refusals, {
  'iam.connection.sign-in-failed': [
    'A sign-in by a connection was refused; one event a minute at most. The actor is the connection.',
    'connection.refused-account',
    'connection.refused-disabled',
    'connection.refused-domain',
    'connection.refused-member',
    'connection.refused-metadata',
  ],
});

class SetupLinkEvent {
  @Output.ulid({ description: 'The link.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4' })
  setupLinkId: string;
}
const setupLinks = {
  readScope: 'iam:setup-link:read',
  data: ({ id }: Recorded): SetupLinkEvent => ({ setupLinkId: id }),
};

recordedEvents(SetupLinkEvent, setupLinks, {
  'iam.setup-link.created': 'A set-up link was created. It is the actor of what its holder does.',
  'iam.setup-link.revoked': 'A set-up link was revoked, by a member, or by itself as it was found in public.',
});

class EmergencyEvent {
  @Output.ulid({ description: 'The owner.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  userId: string;
}
const emergencies = {
  readScope: 'iam:sign-in-policy:read',
  data: ({ actorId }: Recorded): EmergencyEvent => ({ userId: actorId }),
};

recordedEvents(EmergencyEvent, emergencies, {
  'iam.sign-in-policy.entered-in-emergency':
    'An owner entered without the connection that the organization requires.',
});
