export { OutboundHttp } from './outbound-http.js';
export { OutboundModule } from './outbound.module.js';
