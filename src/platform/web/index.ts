export { callerGone } from './caller-gone.js';
export { authenticationOf, Caller, callerOf, setAuthentication } from './authentication.js';
export {
  BodyGuard,
  type BodyRules,
  EVENT_TYPE,
  FORM_TYPE,
  type FormLimits,
  parametersOf,
  parseBody,
  readBody,
  setBodyRules,
  type TextBodyRules,
} from './body/body-parser.js';
export { parseJson, requireUnambiguousJson } from './body/json-guard.js';
export { ClientIpResolver, networkOf, siteOf } from './client/client-ip.js';
export { type Client, clientIpOf, clientOf, setClientIp } from './client/client.js';
export { CallerLocale } from './request/caller-locale.js';
export { cookieOf } from './request/cookies.js';
export { arrivalsOfTurn, inTurn, newAdapter, rememberValidationMetadata } from './fast-path/index.js';
export { type Bearer, bearerOf, headerValuesOf } from './request/headers.js';
export { framedPage, MARK, PAGE_STYLE, PALETTE } from './error-pages/error-page.js';
export { ErrorPages } from './error-pages/error-pages.js';
export { markAsBrowserRoute } from './error-pages/negotiation.js';
export { pagePolicy } from './error-pages/page-policy.js';
export { formPage, formPagePolicy, type PostedForm, HTML_PAGE } from './form-page.js';
export { isFromOwnMachine } from './client/own-machine.js';
export { type Pages, PAGES } from './pages.js';
export { ProblemFilter } from './problem.filter.js';
export { settleProtocol } from './protocol.js';
export { requestIdOf } from './request/request-id.js';
export { type Found, RouteTree } from './route-tree.js';
export { securityHeaders } from './security-headers.js';
export { etagOf, etagOfVersion, markVersioned, parseEtags, versionOfEtag } from './versioned-body.js';
