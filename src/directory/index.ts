export { DirectoryModule } from './directory.module.js';
export { ScimGateway } from './protocol/scim-gateway.js';
