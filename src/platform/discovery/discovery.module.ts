import { Global, Module } from '@nestjs/common';
import { DiscoveryModule as NestDiscoveryModule } from '@nestjs/core';
import { MarkedClasses } from './marked-classes.js';
import { MarkedMethods } from './marked-methods.js';

@Global()
@Module({
  imports: [NestDiscoveryModule],
  providers: [MarkedClasses, MarkedMethods],
  exports: [MarkedClasses, MarkedMethods],
})
export class DiscoveryModule {}
