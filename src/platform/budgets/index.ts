export { BudgetsModule } from './budgets.module.js';
export { DailyBudgets } from './daily-budgets.js';
