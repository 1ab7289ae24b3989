import { Global, Module } from '@nestjs/common';
import { DiscoveryModule as NestDiscoveryModule } from '@nestjs/core';
import { MarkedMethods } from './marked-methods.js';

@Global()
@Module({ imports: [NestDiscoveryModule], providers: [MarkedMethods], exports: [MarkedMethods] })
export class DiscoveryModule {}
