export { SatelliteModule } from './satellite.module.js';
export { RegisterSatelliteDto, UpdateSatelliteDto } from './registry/dto/satellite.dto.js';
export type { Satellite } from './registry/satellite.repository.js';
export { SatelliteService } from './registry/satellite.service.js';
