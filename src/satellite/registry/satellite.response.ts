import {
  CursorAnswer,
  ListAnswer,
  TextAnswer,
  TextListAnswer,
  TimeAnswer,
  UlidAnswer,
  WordAnswer,
} from '../../platform/api/index.js';
import { CLIENT_ID, MAX_SCOPES, SATELLITE_SCOPE } from './dto/satellite.dto.js';
import type { Satellite } from './satellite.repository.js';

const SecretAnswer = () =>
  TextAnswer({
    max: 100,
    pattern: '^ghs_[\\w-]{43}$',
    description: 'Cannot be read again: only its hash is stored.',
    example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  });

export class SatelliteResponse {
  @UlidAnswer({
    description: 'Identifies the satellite in subjects of the permission check.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
  })
  id: string;
  @TextAnswer({ max: 64, pattern: CLIENT_ID.source, example: 'help-centre' })
  clientId: string;
  @TextAnswer({ max: 100, example: 'Help centre' })
  name: string;
  @TextListAnswer({
    max: 20,
    pattern: /^https?:\/\//,
    itemMax: 500,
    example: ['https://help.example.com/callback'],
  })
  redirectUris: string[];
  @TextListAnswer({
    max: MAX_SCOPES,
    pattern: SATELLITE_SCOPE,
    example: ['iam:tenant:read'],
    description: 'Scopes of its tokens, if the visitor holds them. `*` stands for all scopes of the visitor.',
  })
  scopes: string[];
  @WordAnswer(['active', 'disabled'])
  status: 'active' | 'disabled';
  @TimeAnswer()
  createdAt: string;

  static from({ disabledAt, createdAt, ...satellite }: Satellite): SatelliteResponse {
    return {
      ...satellite,
      status: disabledAt === null ? 'active' : 'disabled',
      createdAt: createdAt.toISOString(),
    };
  }
}

export class RegisteredSatelliteResponse extends SatelliteResponse {
  @SecretAnswer()
  clientSecret: string;
}

export class RotatedSecretResponse {
  @TextAnswer({ max: 64, pattern: CLIENT_ID.source, example: 'help-centre' })
  clientId: string;
  @SecretAnswer()
  clientSecret: string;
  @TimeAnswer({ description: 'Time until which the previous secret remains valid.' })
  previousValidUntil: string;
}

export class SatelliteListResponse {
  @ListAnswer(() => SatelliteResponse, 100)
  items: SatelliteResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}
