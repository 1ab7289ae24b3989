export { SatelliteModule } from './satellite.module.js';
