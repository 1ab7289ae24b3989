import { FIRST_NAME, type Look, LookResponse } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Input, objectField, Output, PartialType, toResponse } from '../../platform/api/index.js';
import {
  BADGE,
  IDLE_SECONDS,
  PIN,
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
import { JwkDto } from '../../machine/index.js';
import type { StationStatus } from './station.entity.js';

class PersonAtStationResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T9' })
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
  @Output.time()
  createdAt: string;
  @Output.time({ nullable: true, description: 'Last proof of its key, to the minute.' })
  lastSeenAt: string | null;
  @Output(objectField(() => PersonAtStationResponse), {
    nullable: true,
    description: 'The person who is signed in; null without one.',
  })
  person: PersonAtStationResponse | null;

  static from(station: Station): StationResponse {
    return toResponse(StationResponse, station);
  }
}

export class CreatedStationResponse extends StationResponse {
  @Output(REGISTRATION_CODE, { description: 'Cannot be read again. For one device, within ten minutes.' })
  registrationCode: string;
  @Output.time()
  registrationExpiresAt: string;
}

class TenantOfStationResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.text({ max: 200, example: 'Lovelace Logistics' })
  name: string;
}

/** A device that has registered. */
export interface Registered {
  readonly stationId: string;
  readonly name: string;
  readonly tenant: { readonly id: TenantId; readonly name: string };
  readonly look: Look | null;
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
  @Output.text({ max: 100, example: '1796000000.dGhpc2lzYW5vbmNlMTIzNA.c2lnbmF0dXJl' })
  nonce: string;
  @Output.integer({
    min: 1,
    max: NONCE_SECONDS,
    example: NONCE_SECONDS,
    description: 'Seconds for which a proof with this nonce is accepted.',
  })
  expiresInSeconds: number;
}

export class CreateStationDto {
  @Input(STATION_NAME)
  name: string;

  @Input(PLACE, { optional: true, nullable: true })
  place?: string | null;

  @Input(IDLE_SECONDS, { optional: true })
  idleSeconds?: number;

  @Input(SHIFT_SECONDS, { optional: true })
  shiftSeconds?: number;

  @Input(STATION_NETWORKS, { optional: true })
  networks?: string[];
}

export class UpdateStationDto extends PartialType(CreateStationDto) {
  @Input.word(['active', 'disabled'], {
    optional: true,
    description: '`disabled` ends the session at the station within a second; `active` lifts a lock too.',
  })
  status?: 'active' | 'disabled';
}

/** Query of the list, in addition to the page's. */
export class StationsQuery {
  @Input.text({
    optional: true,
    max: 100,
    description: 'Any part of the name or the place, without regard to case and accents.',
    example: 'gate',
  })
  query?: string;

  @Input(STATION_STATUS, { optional: true })
  status?: StationStatus;
}

export class RegisterStationDto {
  @Input(REGISTRATION_CODE)
  registrationCode: string;

  @Input(objectField(() => JwkDto))
  jwk: JwkDto;
}

export class StationSignInDto {
  @Input(BADGE, { optional: true })
  badge?: string;

  @Input(WORKER_NUMBER, { optional: true })
  number?: string;

  @Input(PIN)
  pin: string;

  @Input(PIN, { optional: true, description: 'New PIN: required with a temporary one.' })
  newPin?: string;
}
