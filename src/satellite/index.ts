export { SatelliteModule } from './satellite.module.js';
export { RegisterSatelliteDto, UpdateSatelliteDto } from './registry/dto/satellite.dto.js';
export type { Satellite } from './registry/satellite.repository.js';
export { SatelliteService } from './registry/satellite.service.js';
export { CLIENT_LOGO_URL, clientLogoUrlOf } from './logos/client-logo.fields.js';
export {
  CLIENT_AUTH_METHODS,
  CLIENT_GRANT_TYPES,
  type ClientAuthMethod,
  ID_TOKEN_ALGS,
  SUBJECT_TYPES,
} from './registry/client-traits.js';
