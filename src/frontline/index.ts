export { FrontlineModule } from './frontline.module.js';
export { StationService } from './stations/station.service.js';
export { DirectoryWorkers, type NumberFault } from './workers/directory-workers.js';
export { WorkerService } from './workers/worker.service.js';
