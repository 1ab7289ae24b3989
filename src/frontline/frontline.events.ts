import { CHANGED, type Recorded, RecordedAs, recordedEvents, USER_ID } from '../iam/index.js';
import { Output, ulidField } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const ofWorkers = { readScope: 'iam:worker:read' } as const;
const ofStations = { readScope: 'iam:station:read' } as const;
const STATION = ulidField({ description: 'The station.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T8' });

class WorkerEvent {
  @Output(USER_ID)
  userId: string;
}
class WorkerAtStationEvent extends WorkerEvent {
  @Output(STATION)
  stationId: string;
}
const atStation = {
  data: ({ id, holderId }: Recorded): WorkerAtStationEvent => ({ userId: id, stationId: holderId }),
};

recordedEvents(
  WorkerEvent,
  { ...ofWorkers, data: ({ id }: Recorded): WorkerEvent => ({ userId: id }) },
  {
    'iam.worker.created': 'A worker without an address was added.',
    'iam.worker.deleted': 'A worker was removed.',
    'iam.worker.pin-reset': 'A worker got a temporary PIN.',
    'iam.worker.pin-reset-asked': 'The reset of a PIN waits for a second member.',
    'iam.worker.badge-issued': 'A worker got a badge.',
    'iam.worker.badge-revoked': 'The badge of a worker was revoked.',
    'iam.worker.signed-out': 'A member ended the sessions of a worker at stations.',
  },
);

@RecordedAs(['worker.updated'], { data: ({ id, changed }) => ({ userId: id, changed: [...changed] }) })
@EventType('iam.worker.updated', { description: 'A worker was changed.', ...ofWorkers })
export class WorkerUpdated extends WorkerEvent {
  @Output(CHANGED, { example: ['number'] })
  changed: string[];
}

recordedEvents(
  WorkerAtStationEvent,
  { ...ofWorkers, ...atStation },
  {
    'iam.worker.pin-changed': 'A worker chose a new PIN.',
    'iam.worker.pin-locked': 'Too many wrong PINs have locked that of a worker.',
    'iam.worker.signed-in': 'A person signed in at a station.',
  },
);

class StationEvent {
  @Output(STATION)
  stationId: string;
}
const station = { data: ({ id }: Recorded): StationEvent => ({ stationId: id }) };

recordedEvents(
  StationEvent,
  { ...ofStations, ...station },
  {
    'iam.station.created': 'A station was created.',
    'iam.station.registered': 'The device of a station registered.',
    'iam.station.locked': 'Too many wrong PINs have locked a station.',
    'iam.station.deleted': 'A station was deleted.',
  },
);

@RecordedAs(['station.updated'], { data: ({ id, changed }) => ({ stationId: id, changed: [...changed] }) })
@EventType('iam.station.updated', { description: 'A station was changed.', ...ofStations })
export class StationUpdated extends StationEvent {
  @Output(CHANGED, { example: ['status'] })
  changed: string[];
}
