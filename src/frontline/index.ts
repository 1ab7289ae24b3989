export { FrontlineModule } from './frontline.module.js';
export { DirectoryWorkers, type NumberFault } from './workers/directory-workers.js';
