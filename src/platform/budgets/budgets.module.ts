import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DailyBudgets } from './daily-budgets.js';
import { DailyUseEntity } from './daily-use.entity.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([DailyUseEntity])],
  providers: [DailyBudgets],
  exports: [DailyBudgets],
})
export class BudgetsModule {}
