import { Global, Module } from '@nestjs/common';
import { CustomerHttp } from './customer-http.js';
import { OutboundHttp } from './outbound-http.js';
import { OutboundPost } from './outbound-post.js';

@Global()
@Module({
  providers: [CustomerHttp, OutboundHttp, OutboundPost],
  exports: [CustomerHttp, OutboundHttp, OutboundPost],
})
export class OutboundModule {}
