export { OutboundHttp, TooLate } from './outbound-http.js';
export { OutboundModule } from './outbound.module.js';
