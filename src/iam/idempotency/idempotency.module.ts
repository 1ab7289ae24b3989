import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Idempotency } from './idempotency.js';
import { IdempotentResponseEntity } from './idempotent-response.entity.js';
import { IdempotentResponseRepository } from './idempotent-response.repository.js';

/** Global, because `@Creates` binds its interceptor to routes of every module. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotentResponseEntity])],
  providers: [Idempotency, IdempotentResponseRepository],
  exports: [Idempotency],
})
export class IdempotencyModule {}
