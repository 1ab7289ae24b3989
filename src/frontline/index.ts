export { FrontlineModule } from './frontline.module.js';
