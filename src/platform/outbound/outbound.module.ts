import { Global, Module } from '@nestjs/common';
import { OutboundHttp } from './outbound-http.js';
import { OutboundPost } from './outbound-post.js';

@Global()
@Module({ providers: [OutboundHttp, OutboundPost], exports: [OutboundHttp, OutboundPost] })
export class OutboundModule {}
