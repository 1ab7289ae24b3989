export { CustomerHttp } from './customer-http.js';
export { OutboundHttp, TooLate } from './outbound-http.js';
export { OutboundPost, type PostFailure, type PostOutcome } from './outbound-post.js';
export { OutboundModule } from './outbound.module.js';
