export { AccessModule } from './access.module.js';
export { FrontDoor } from './front-door.js';
export { RouteManifest } from './route-manifest.js';
