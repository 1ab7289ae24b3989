export { AppError, type Violation } from './app-error.js';
export { ERROR_CATALOGUE, type ErrorCode } from './catalogue.js';
export { describeCause } from './describe-cause.js';
export { DocumentationChapter } from './documentation-chapter.js';
export { ErrorsController } from './errors.controller.js';
export { ProblemFilter } from './problem.filter.js';
export { isDatabaseUnavailable, isPlanOutdated, toAppError } from './to-app-error.js';
