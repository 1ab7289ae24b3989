import { type Recorded, RecordedAs, recordedEvents } from '../iam/index.js';
import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const rules = { readScope: 'iam:satellite:read', platform: 'only' } as const;

class SatelliteEvent {
  @Output.ulid({ description: 'The satellite.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  satelliteId: string;
}
const satellite = {
  data: ({ id }: Recorded): SatelliteEvent => ({ satelliteId: id }),
  concerns: 'platform',
} as const;

recordedEvents(
  SatelliteEvent,
  { ...rules, ...satellite },
  {
    'iam.satellite.registered': 'A satellite was registered.',
    'iam.satellite.updated': ['A satellite was changed.', 'satellite.updated', 'satellite.key-rotated'],
    'iam.satellite.secret-rotated': 'A satellite has a new secret.',
    'iam.satellite.disabled': 'A satellite was disabled.',
    'iam.satellite.enabled': 'A satellite was enabled again.',
  },
);

const ofClients = { readScope: 'iam:client:read' } as const;

class ClientEvent {
  @Output.ulid({ description: '`id` of the client.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  registrationId: string;
}
recordedEvents(
  ClientEvent,
  { ...ofClients, data: ({ id }: Recorded): ClientEvent => ({ registrationId: id }) },
  {
    'iam.client.registered': 'An organization registered a client, to which its members sign in.',
    'iam.client.updated': [
      'A client of an organization was changed, disabled or enabled, has a new secret, or another consent for all members.',
      'client.updated',
      'client.secret-rotated',
      'client.key-rotated',
      'client.disabled',
      'client.enabled',
      'client.consented',
      'client.consent-withdrawn',
    ],
    'iam.client.deleted': 'A client of an organization was deleted: its tokens are refused.',
  },
);

class ApiEvent {
  @Output.ulid({ description: 'The API.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T8' })
  apiId: string;
}
const api = { data: ({ id }: Recorded): ApiEvent => ({ apiId: id }) };
const WHATS = ['registered', 'updated', 'deleted', 'credential-created', 'reach-changed'];

@RecordedAs(WHATS.map((what) => `api.${what}`), { ...api, concerns: 'platform' })
@EventType('iam.api.changed', {
  description:
    'An API of the platform was registered, changed or deleted, has a new credential, or other clients.',
  readScope: 'iam:api:read',
  platform: 'only',
})
export class ApiChanged extends ApiEvent {}

@RecordedAs(WHATS.map((what) => `client-api.${what}`), api)
@EventType('iam.client-api.changed', {
  description:
    'An API of an organization was registered, changed or deleted, has a new credential, or other clients.',
  ...ofClients,
})
export class ClientApiChanged extends ApiEvent {}
