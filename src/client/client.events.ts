import { type Recorded, RecordedAs } from '../iam/index.js';
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

@RecordedAs(['satellite.registered'], satellite)
@EventType('iam.satellite.registered', { description: 'A satellite was registered.', ...rules })
export class SatelliteRegistered extends SatelliteEvent {}

@RecordedAs(['satellite.updated', 'satellite.key-rotated'], satellite)
@EventType('iam.satellite.updated', { description: 'A satellite was changed.', ...rules })
export class SatelliteUpdated extends SatelliteEvent {}

@RecordedAs(['satellite.secret-rotated'], satellite)
@EventType('iam.satellite.secret-rotated', { description: 'A satellite has a new secret.', ...rules })
export class SatelliteSecretRotated extends SatelliteEvent {}

@RecordedAs(['satellite.disabled'], satellite)
@EventType('iam.satellite.disabled', { description: 'A satellite was disabled.', ...rules })
export class SatelliteDisabled extends SatelliteEvent {}

@RecordedAs(['satellite.enabled'], satellite)
@EventType('iam.satellite.enabled', { description: 'A satellite was enabled again.', ...rules })
export class SatelliteEnabled extends SatelliteEvent {}

const ofClients = { readScope: 'iam:client:read' } as const;

class ClientEvent {
  @Output.ulid({ description: '`id` of the client.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  registrationId: string;
}
const client = { data: ({ id }: Recorded): ClientEvent => ({ registrationId: id }) };

@RecordedAs(['client.registered'], client)
@EventType('iam.client.registered', {
  description: 'An organization registered a client, to which its members sign in.',
  ...ofClients,
})
export class ClientRegistered extends ClientEvent {}

@RecordedAs(
  [
    'client.updated',
    'client.secret-rotated',
    'client.key-rotated',
    'client.disabled',
    'client.enabled',
    'client.consented',
    'client.consent-withdrawn',
  ],
  client,
)
@EventType('iam.client.updated', {
  description:
    'A client of an organization was changed, disabled or enabled, has a new secret, or another consent for all members.',
  ...ofClients,
})
export class ClientUpdated extends ClientEvent {}

@RecordedAs(['client.deleted'], client)
@EventType('iam.client.deleted', {
  description: 'A client of an organization was deleted: its tokens are refused.',
  ...ofClients,
})
export class ClientDeleted extends ClientEvent {}

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
