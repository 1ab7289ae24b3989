import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CountCleanup } from './count-cleanup.js';
import { CountEntity } from './count.entity.js';
import { CountRepository } from './count.repository.js';
import { Counts, JobCounts } from './counts.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([CountEntity])],
  providers: [CountCleanup, CountRepository, Counts, JobCounts],
  exports: [CountRepository, Counts],
})
export class CountsModule {}
