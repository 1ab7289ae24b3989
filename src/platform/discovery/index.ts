export { DiscoveryModule } from './discovery.module.js';
export { MarkedMethods } from './marked-methods.js';
