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
} from './answer-fields.js';
export { BEARER, Bearer, type BearerClients, type BearerOptions } from './bearer.decorator.js';
export { BodyGuard } from './body.guard.js';
export { jsonBody } from './body-parser.js';
export { ClientIpResolver, networkOf, siteOf } from './client-ip.js';
export { COUNTS_AS_READ, CountsAsRead } from './counts-as-read.decorator.js';
export { canonicalEmail, domainOf, isEmailAddress } from './email-address.js';
export {
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
} from './fields.js';
export { formBody, parametersOf } from './form-body.js';
export { headerValuesOf } from './header-values.js';
export { HTML_PAGE } from './html-page.js';
export { authenticationOf, Caller, setAuthentication } from './authentication.js';
export {
  FIRST_PARTY_CLIENT,
  NOT_FOR_SATELLITES,
  type Principal,
  type SessionId,
  type TenantId,
  type UserId,
} from './principal.js';
export { Paged, PageOf, toPage, type Page } from './page.js';
export { isRecentProof, MAX_PROOF_AGE_SECONDS } from './recent-proof.js';
export { PAGES, type Pages } from './pages.js';
export { newId } from './new-id.js';
export { isFromOwnMachine } from './own-machine.js';
export { inTurn } from './in-turn.js';
export { RouteTree } from './route-tree.js';
export { ServiceAdapter } from './service-adapter.js';
export { LINE_PATTERN, ULID_PATTERN } from './patterns.js';
export { PROBLEMS, Problems } from './problems.decorator.js';
export { settleProtocol } from './protocol.js';
export { securityHeaders } from './security-headers.js';
export { Public, PUBLIC } from './public.decorator.js';
export { requestIdOf } from './request-id.js';
export { TAG, Tag, type TagInfo } from './tag.decorator.js';
export { clientOf, setClientIp, type Client } from './client.js';
export { isUlid } from './ulid.js';
export { ValidationPipe } from './validation.pipe.js';
