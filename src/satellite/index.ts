export { SatelliteModule } from './satellite.module.js';
export { RegisterSatelliteDto } from './registry/satellite.dto.js';
export { SatelliteService } from './registry/satellite.service.js';
