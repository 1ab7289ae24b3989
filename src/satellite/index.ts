export { SatelliteModule } from './satellite.module.js';
export { RegisterSatelliteDto, UpdateSatelliteDto } from './registry/dto/satellite.dto.js';
export { SatelliteService } from './registry/satellite.service.js';
