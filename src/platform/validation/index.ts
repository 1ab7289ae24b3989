export { ValidationPipe } from './validation.pipe.js';
