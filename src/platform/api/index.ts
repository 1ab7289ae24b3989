export {
  Bearer,
  BearerMark,
  type BearerClients,
  type BearerOptions,
  CountsAsRead,
  CountsAsReadMark,
  OpenTo,
  type RouteCallers,
  Public,
  PublicMetadata,
} from './access.decorator.js';
export {
  BrowserRoute,
  BrowserRouteMark,
  type CrossOrigin,
  CrossOriginMark,
  Credentialed,
  Open,
  EXPOSED_HEADERS,
} from './browser.decorator.js';
export {
  LargeBody,
  LargeBodyMark,
  RawBody,
  RawBodyMark,
  type RawBodyRules,
  EventBody,
  FormBody,
  TextBodyMark,
} from './body.decorator.js';
export { DocsController } from './docs/docs.controller.js';
export { documentedForm, formText } from './docs/form.js';
export type { DocumentedRoute, FixedHeader, RouteClients } from './docs/documented-route.js';
export { html, type Markup } from './docs/reference/markup.js';
export { createOpenApiDocument } from './docs/openapi-document.js';
export { ErrorsController } from './errors.controller.js';
export { Input, Output } from './fields/declared.js';
export type { CheckContext, Field } from './fields/field.js';
export { type FieldSchema, fieldsOf } from './fields/model.js';
export { badItems, listField, objectField, objectListField } from './fields/list-fields.js';
export { IntersectionType, OmitType, PartialType, PickType } from './fields/mapped-types.js';
export { toResponse } from './fields/response.js';
export {
  codeChallengeField,
  codeVerifierField,
  emailField,
  localeField,
  passwordField,
  blockField,
  textField,
  ulidField,
  wordField,
} from './fields/text-fields.js';
export { booleanField, dateField, integerField, numberField, timeField } from './fields/value-fields.js';
export { type ItemPage, MAX_COUNTED, type Page, Paged, PageOf, readPage, toPage } from './page.js';
export {
  inOrderOfCreation,
  type Orders,
  SortedList,
  type SortedPage,
  SortedPageOf,
  TEXT_KEY,
  TIME_KEY,
  toSortedPage,
  ULID_KEY,
} from './sorted-page.js';
export {
  Accepts,
  type AnswerDecorator,
  Answers,
  Operation,
  Problems,
  ProblemsMark,
  Tag,
  TagMark,
} from './documentation.decorator.js';
export { AnyQuery, queryNamesOf, QueryOf } from './query.js';
export {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiExcludeController,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  schemaOf,
} from './swagger/described.js';
export { Deprecated, DeprecatedMark } from './versions/deprecated.decorator.js';
export { IfMatch, IfMatchMark, type Precondition } from './versions/if-match.decorator.js';
export { Versioned, VersionedMark } from './versions/versioned.decorator.js';
