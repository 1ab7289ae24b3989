import { Input } from '../../../platform/api/index.js';
import { CLIENT_ID, REDIRECT_URIS, SATELLITE_NAME, SATELLITE_SCOPES } from '../satellite.fields.js';

export class RegisterSatelliteDto {
  @Input(CLIENT_ID)
  clientId: string;

  @Input(SATELLITE_NAME)
  name: string;

  @Input(REDIRECT_URIS)
  redirectUris: string[];

  @Input(SATELLITE_SCOPES, { optional: true })
  scopes?: string[];
}

export class UpdateSatelliteDto {
  @Input(SATELLITE_NAME, { optional: true })
  name?: string;

  @Input(REDIRECT_URIS, { optional: true })
  redirectUris?: string[];

  @Input(SATELLITE_SCOPES, { optional: true })
  scopes?: string[];
}
