import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Lifecycle } from './lifecycle.js';

@Global()
@Module({ imports: [DiscoveryModule], providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
