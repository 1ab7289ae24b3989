import { CHANGED, type Recorded, RecordedAs, USER_ID } from '../iam/index.js';
import { Output, ulidField } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const ofWorkers = { readScope: 'iam:worker:read' } as const;
const ofStations = { readScope: 'iam:station:read' } as const;
const STATION = ulidField({ description: 'The station.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T8' });

class WorkerEvent {
  @Output(USER_ID)
  userId: string;
}
const worker = { data: ({ id }: Recorded): WorkerEvent => ({ userId: id }) };

class WorkerAtStationEvent extends WorkerEvent {
  @Output(STATION)
  stationId: string;
}
const atStation = {
  data: ({ id, holderId }: Recorded): WorkerAtStationEvent => ({ userId: id, stationId: holderId }),
};

@RecordedAs(['worker.created'], worker)
@EventType('iam.worker.created', { description: 'A worker without an address was added.', ...ofWorkers })
export class WorkerCreated extends WorkerEvent {}

@RecordedAs(['worker.updated'], { data: ({ id, changed }) => ({ userId: id, changed: [...changed] }) })
@EventType('iam.worker.updated', { description: 'A worker was changed.', ...ofWorkers })
export class WorkerUpdated extends WorkerEvent {
  @Output(CHANGED, { example: ['number'] })
  changed: string[];
}

@RecordedAs(['worker.deleted'], worker)
@EventType('iam.worker.deleted', { description: 'A worker was removed.', ...ofWorkers })
export class WorkerDeleted extends WorkerEvent {}

@RecordedAs(['worker.pin-reset'], worker)
@EventType('iam.worker.pin-reset', { description: 'A worker got a temporary PIN.', ...ofWorkers })
export class WorkerPinReset extends WorkerEvent {}

@RecordedAs(['worker.pin-reset-asked'], worker)
@EventType('iam.worker.pin-reset-asked', {
  description: 'The reset of a PIN waits for a second member.',
  ...ofWorkers,
})
export class WorkerPinResetAsked extends WorkerEvent {}

@RecordedAs(['worker.pin-changed'], atStation)
@EventType('iam.worker.pin-changed', { description: 'A worker chose a new PIN.', ...ofWorkers })
export class WorkerPinChanged extends WorkerAtStationEvent {}

@RecordedAs(['worker.pin-locked'], atStation)
@EventType('iam.worker.pin-locked', {
  description: 'Too many wrong PINs have locked that of a worker.',
  ...ofWorkers,
})
export class WorkerPinLocked extends WorkerAtStationEvent {}

@RecordedAs(['worker.badge-issued'], worker)
@EventType('iam.worker.badge-issued', { description: 'A worker got a badge.', ...ofWorkers })
export class WorkerBadgeIssued extends WorkerEvent {}

@RecordedAs(['worker.badge-revoked'], worker)
@EventType('iam.worker.badge-revoked', { description: 'The badge of a worker was revoked.', ...ofWorkers })
export class WorkerBadgeRevoked extends WorkerEvent {}

@RecordedAs(['worker.signed-in'], atStation)
@EventType('iam.worker.signed-in', { description: 'A person signed in at a station.', ...ofWorkers })
export class WorkerSignedIn extends WorkerAtStationEvent {}

@RecordedAs(['worker.signed-out'], worker)
@EventType('iam.worker.signed-out', {
  description: 'A member ended the sessions of a worker at stations.',
  ...ofWorkers,
})
export class WorkerSignedOut extends WorkerEvent {}

class StationEvent {
  @Output(STATION)
  stationId: string;
}
const station = { data: ({ id }: Recorded): StationEvent => ({ stationId: id }) };

@RecordedAs(['station.created'], station)
@EventType('iam.station.created', { description: 'A station was created.', ...ofStations })
export class StationCreated extends StationEvent {}

@RecordedAs(['station.registered'], station)
@EventType('iam.station.registered', { description: 'The device of a station registered.', ...ofStations })
export class StationRegistered extends StationEvent {}

@RecordedAs(['station.updated'], { data: ({ id, changed }) => ({ stationId: id, changed: [...changed] }) })
@EventType('iam.station.updated', { description: 'A station was changed.', ...ofStations })
export class StationUpdated extends StationEvent {
  @Output(CHANGED, { example: ['status'] })
  changed: string[];
}

@RecordedAs(['station.locked'], station)
@EventType('iam.station.locked', { description: 'Too many wrong PINs have locked a station.', ...ofStations })
export class StationLocked extends StationEvent {}

@RecordedAs(['station.deleted'], station)
@EventType('iam.station.deleted', { description: 'A station was deleted.', ...ofStations })
export class StationDeleted extends StationEvent {}
