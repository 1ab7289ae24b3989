import { Output, textField, timeField, ulidField, wordField } from '../../platform/api/index.js';
import { CLIENT_ID, REDIRECT_URIS, SATELLITE_NAME, SATELLITE_SCOPES } from './satellite.fields.js';
import type { Satellite } from './satellite.repository.js';

const SECRET = textField({
  max: 100,
  pattern: '^ghs_[\\w-]{43}$',
  description: 'Cannot be read again: only its hash is stored.',
  example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
});

export class SatelliteResponse {
  @Output(
    ulidField({
      description: 'Identifies the satellite in subjects of the permission check.',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    }),
  )
  id: string;
  @Output(CLIENT_ID)
  clientId: string;
  @Output(SATELLITE_NAME)
  name: string;
  @Output(REDIRECT_URIS)
  redirectUris: string[];
  @Output(SATELLITE_SCOPES, {
    description: 'Scopes of its tokens, if the visitor holds them. `*` stands for all scopes of the visitor.',
  })
  scopes: string[];
  @Output(wordField(['active', 'disabled']))
  status: 'active' | 'disabled';
  @Output(timeField())
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
  @Output(SECRET)
  clientSecret: string;
}

export class RotatedSecretResponse {
  @Output(CLIENT_ID)
  clientId: string;
  @Output(SECRET)
  clientSecret: string;
  @Output(timeField({ description: 'Time until which the previous secret remains valid.' }))
  previousValidUntil: string;
}
