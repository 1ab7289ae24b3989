export { Channel, type Port } from './channel.js';
export { PLACE, type Place, Processes } from './processes.js';
