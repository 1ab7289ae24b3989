import { JwkDto } from '../../../machine/index.js';
import { Input, objectField, PartialType, textField, wordField } from '../../../platform/api/index.js';
import {
  BADGE,
  IDLE_SECONDS,
  PIN,
  PLACE,
  REGISTRATION_CODE,
  SHIFT_SECONDS,
  STATION_NAME,
  STATION_NETWORKS,
  STATION_STATUS,
  WORKER_NUMBER,
} from '../../frontline.fields.js';
import type { StationStatus } from '../station.entity.js';

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
  @Input(
    wordField(['active', 'disabled'], {
      description: '`disabled` ends the session at the station within a second; `active` lifts a lock too.',
    }),
    { optional: true },
  )
  status?: 'active' | 'disabled';
}

/** Query of the list, in addition to the page's. */
export class StationsQuery {
  @Input(
    textField({
      max: 100,
      description: 'Any part of the name or the place, without regard to case and accents.',
      example: 'gate',
    }),
    { optional: true },
  )
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
