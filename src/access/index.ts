export { AccessModule } from './access.module.js';
export { FrontDoor } from './front-door.js';
export { RouteManifest, type Route } from './route-manifest.js';
