export { QueryGuard } from './query.guard.js';
export { ValidationPipe } from './validation.pipe.js';
