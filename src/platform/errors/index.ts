export { AppError, type Violation } from './app-error.js';
export { ERROR_CATALOGUE, type ErrorCode } from './catalogue.js';
export { describeCause } from './describe-cause.js';
export { problemOf, sendProblem } from './problem.js';
export { isDatabaseUnavailable, isPlanOutdated, toAppError } from './to-app-error.js';
