export { SatelliteModule } from './satellite.module.js';
export { RegisterSatelliteDto } from './registry/dto/satellite.dto.js';
export { SatelliteService } from './registry/satellite.service.js';
