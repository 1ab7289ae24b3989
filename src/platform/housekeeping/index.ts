export { HousekeepingModule } from './housekeeping.module.js';
export { Tidies } from './tidies.decorator.js';
