import { Module } from '@nestjs/common';
import { Primary } from './primary.js';

@Module({ providers: [Primary], exports: [Primary] })
export class PrimaryModule {}
