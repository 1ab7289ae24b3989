/**
 * The decorators of @nestjs/swagger, for every class of the service. Its five hundred files are an eighth of the start, and are read when
 * somebody asks for the API's document: until then what the decorators say is noted.
 */
export * from './described.js';
