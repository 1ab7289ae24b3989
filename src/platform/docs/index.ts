export { DocsController } from './docs.controller.js';
export { createOpenApiDocument } from './openapi-document.js';
