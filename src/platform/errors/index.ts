import './http.errors.js';

export { AppError, type PageTexts, type Violation } from './app-error.js';
export { declareErrors, errorCodes, errorRow, findErrorRow } from './catalogue.js';
export { describeCause } from './describe-cause.js';
// By `*`, so that modules can merge their codes into `ErrorCodes` of this file.
export * from './error-codes.js';
export { type Problem, problemOf, sendProblem } from './problem.js';
export { isDatabaseUnavailable, isPlanOutdated, isReadOnly, toAppError } from './to-app-error.js';
