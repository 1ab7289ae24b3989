export { AccessModule } from './access.module.js';
export { RequestPipeline } from './request-pipeline.js';
export { RouteManifest, type Route } from './route-manifest.js';
