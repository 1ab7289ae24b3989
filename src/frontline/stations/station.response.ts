import { FIRST_NAME, LookResponse } from '../../iam/index.js';
import {
  integerField,
  objectField,
  Output,
  textField,
  timeField,
  ulidField,
} from '../../platform/api/index.js';
import {
  IDLE_SECONDS,
  PLACE,
  REGISTRATION_CODE,
  SHIFT_SECONDS,
  STATION_ID,
  STATION_NAME,
  STATION_NETWORKS,
  STATION_STATUS,
  WORKER_NUMBER,
} from '../frontline.fields.js';
import { NONCE_SECONDS } from './station-nonces.js';
import type { Station } from './station.repository.js';
import type { Registered } from './station-registration.js';

class PersonAtStationResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T9' }))
  userId: string;
  @Output(WORKER_NUMBER, { nullable: true })
  number: string | null;
  @Output(FIRST_NAME, { nullable: true })
  firstName: string | null;
}

export class StationResponse {
  @Output(STATION_ID)
  id: string;
  @Output(STATION_NAME)
  name: string;
  @Output(PLACE, { nullable: true })
  place: string | null;
  @Output(STATION_STATUS)
  status: string;
  @Output(IDLE_SECONDS)
  idleSeconds: number;
  @Output(SHIFT_SECONDS)
  shiftSeconds: number;
  @Output(STATION_NETWORKS)
  networks: string[];
  @Output(timeField())
  createdAt: string;
  @Output(timeField({ description: 'Last proof of its key, to the minute.' }), { nullable: true })
  lastSeenAt: string | null;
  @Output(objectField(() => PersonAtStationResponse), {
    nullable: true,
    description: 'The person who is signed in; null without one.',
  })
  person: PersonAtStationResponse | null;

  static from(station: Station): StationResponse {
    const { id, name, place, status, idleSeconds, shiftSeconds, networks, person } = station;
    return {
      id,
      name,
      place,
      status,
      idleSeconds,
      shiftSeconds,
      networks,
      createdAt: station.createdAt.toISOString(),
      lastSeenAt: station.lastSeenAt?.toISOString() ?? null,
      person,
    };
  }
}

export class CreatedStationResponse extends StationResponse {
  @Output(REGISTRATION_CODE, { description: 'Cannot be read again. For one device, within ten minutes.' })
  registrationCode: string;
  @Output(timeField())
  registrationExpiresAt: string;
}

class TenantOfStationResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
  @Output(textField({ max: 200, example: 'Lovelace Logistics' }))
  name: string;
}

export class RegisteredStationResponse {
  @Output(STATION_ID)
  stationId: string;
  @Output(STATION_NAME)
  name: string;
  @Output(objectField(() => TenantOfStationResponse))
  tenant: TenantOfStationResponse;
  @Output(objectField(() => LookResponse), { nullable: true })
  branding: LookResponse | null;

  static from({ stationId, name, tenant, look }: Registered): RegisteredStationResponse {
    return { stationId, name, tenant, branding: look && LookResponse.from(look) };
  }
}

export class NonceResponse {
  @Output(textField({ max: 100, example: '1796000000.dGhpc2lzYW5vbmNlMTIzNA.c2lnbmF0dXJl' }))
  nonce: string;
  @Output(integerField({ min: 1, max: NONCE_SECONDS, example: NONCE_SECONDS }))
  expiresInSeconds: number;
}
