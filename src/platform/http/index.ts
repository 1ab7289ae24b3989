export {
  IntegerAnswer,
  ListAnswer,
  TextAnswer,
  TimeAnswer,
  UlidAnswer,
  WordAnswer,
} from './answer-fields.js';
export { BEARER, Bearer } from './bearer.decorator.js';
export { jsonBody } from './body-parser.js';
export { ClientIpResolver, networkOf } from './client-ip.js';
export { canonicalEmail } from './email-address.js';
export { IdParam } from './id-param.js';
export { EmailField, OptionalBooleanField, PasswordField, TextField } from './fields.js';
export {
  authenticationOf,
  Caller,
  setAuthentication,
  type Principal,
  type SessionId,
  type UserId,
} from './principal.js';
export { ULID_PATTERN } from './patterns.js';
export { PROBLEMS, Problems } from './problems.decorator.js';
export { settleProtocol } from './protocol.js';
export { Public, PUBLIC } from './public.decorator.js';
export { requestIdOf } from './request-id.js';
export { TAG, Tag, type TagInfo } from './tag.decorator.js';
export { clientOf, setClientIp, type Client } from './client.js';
export { ValidationPipe } from './validation.pipe.js';
