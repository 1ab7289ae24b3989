export { FIXED_HEADERS } from './description.js';
export { DocsController } from './docs.controller.js';
export { type DocumentedRoute, type FixedHeader, type RouteClients } from './documented-route.js';
export { createOpenApiDocument } from './openapi-document.js';
