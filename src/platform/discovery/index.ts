export { DiscoveryModule } from './discovery.module.js';
export { MarkedClasses } from './marked-classes.js';
export { MarkedMethods } from './marked-methods.js';
