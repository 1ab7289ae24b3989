import { Module } from '@nestjs/common';
import { Housekeeper } from './housekeeper.js';

@Module({ providers: [Housekeeper] })
export class HousekeepingModule {}
