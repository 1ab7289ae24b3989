export { Bearer, BEARER, type BearerClients, type BearerOptions } from './bearer.decorator.js';
export { COUNTS_AS_READ, CountsAsRead } from './counts-as-read.decorator.js';
export { DocsController } from './docs/docs.controller.js';
export type { DocumentedRoute, FixedHeader, RouteClients } from './docs/documented-route.js';
export { createOpenApiDocument } from './docs/openapi-document.js';
export { ErrorsController } from './errors.controller.js';
export {
  badItems,
  CodeChallengeField,
  CodeVerifierField,
  EmailField,
  ListField,
  OptionalBooleanField,
  OptionalIntegerField,
  PasswordField,
  TextField,
  UlidField,
  WordField,
} from './fields/fields.js';
export {
  BooleanAnswer,
  CursorAnswer,
  IntegerAnswer,
  ListAnswer,
  TextAnswer,
  TextListAnswer,
  TimeAnswer,
  UlidAnswer,
  WordAnswer,
} from './fields/response-fields.js';
export { type Page, Paged, PageOf, toPage } from './page.js';
export { Problems, PROBLEMS } from './problems.decorator.js';
export { Public, PUBLIC } from './public.decorator.js';
export {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExcludeController,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProperty,
  ApiResponse,
  schemaOf,
} from './swagger/described.js';
export { Tag, TAG, type TagInfo } from './tag.decorator.js';
