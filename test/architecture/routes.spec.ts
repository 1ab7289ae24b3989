import { AbilityRegistry } from '../../src/ability/index.js';
import { RouteManifest, type Route } from '../../src/access/index.js';
import { withApp } from '../support/test-app.js';

/** Each shows who is visiting, asks, ends this session, or refuses a satellite by its own check. */
const OPEN_TO_SATELLITES_WITHOUT_A_SCOPE = [
  'POST /access/v1/evaluation',
  'POST /access/v1/evaluations',
  'POST /access/v1/search/resource',
  'POST /api/auth/can',
  'POST /api/v1/iam/auth/logout',
  'POST /api/v1/iam/auth/select-tenant', // the tenant of the exchange alone
  'GET /api/v1/iam/me',
  'POST /api/v1/iam/me/identities/redeem', // the client that began the flow alone
];

/** A new line opens a route to service accounts: behind it is no sign-in, session or password. */
const OPEN_TO_MACHINES_WITHOUT_A_SCOPE = [
  'POST /access/v1/evaluation',
  'POST /access/v1/evaluations',
  'POST /access/v1/search/resource',
  'POST /access/v1/search/subject',
  'POST /api/auth/can',
  'GET /api/v1/iam/me',
];

/**
 * Scopes of organizations that no service account holds, whatever its roles: those that need a
 * recent sign-in, and those of the first-party app.
 */
const FOR_PEOPLE_ALONE = [
  'iam:api-key:create',
  'iam:client:create',
  'iam:client:delete',
  'iam:client:rotate-secret',
  'iam:client:update',
  'iam:connection:activate',
  'iam:connection:confirm',
  'iam:connection:create',
  'iam:connection:delete',
  'iam:connection:test',
  'iam:connection:update',
  'iam:directory-token:create',
  'iam:key-policy:update',
  'iam:setup-link:create',
  'iam:sign-in-policy:update',
  'iam:support-access:grant',
  'iam:tenant:delete',
  'iam:tenant:set-audit-retention',
  'iam:tenant:transfer-ownership',
  'iam:trust-rule:create',
  'iam:worker:reset-pin',
  'webhooks:subscription:rotate',
];

/** A new line lets a service account of the platform do it, without a second factor. */
const FOR_PLATFORM_ACCOUNTS = [
  'platform:audit:read',
  'platform:decision:read',
  'platform:import:create',
  'platform:job:read',
  'platform:job:retry',
  'platform:overview:read',
  'platform:permission:read',
  'platform:permission:register',
  'platform:permission:remove',
  'platform:person:end-sessions',
  'platform:person:export',
  'platform:person:keep',
  'platform:person:keep-authenticators',
  'platform:person:read',
  'platform:person:require-new-password',
  'platform:person:resend-mail',
  'platform:person:reset-authenticators',
  'platform:person:restore',
  'platform:person:send-password-reset',
  'platform:person:suspend',
  'platform:tenant:archive',
  'platform:tenant:export',
  'platform:tenant:limit',
  'platform:tenant:read',
  'platform:tenant:restore',
];

/** Endpoints whose standards ask to ignore unknown parameters, and pages. */
const TAKING_ANY_QUERY = [
  'GET /.well-known/authzen-configuration',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/ssf-configuration',
  'GET /api/docs',
  'GET /api/docs/:asset',
  'GET /api/docs/openapi.json',
  'GET /api/docs/operations/:operationId',
  'GET /api/iam/auth/external/:kind/begin/:connection',
  'GET /api/iam/auth/external/:kind/callback',
  'POST /api/iam/auth/external/:kind/callback',
  'GET /api/iam/auth/external/:kind/callback/:connection',
  'POST /api/iam/auth/external/:kind/callback/:connection',
  'POST /api/iam/auth/external/facebook_oauth/data-deletion',
  'POST /api/iam/auth/external/facebook_oauth/deauthorize',
  'POST /api/iam/auth/external/oidc/backchannel-logout/:connection',
  'GET /api/iam/auth/external/oidc/jwks',
  'POST /api/iam/auth/external/oidc/signals/:connection',
  'GET /api/iam/auth/external/saml/logout/:connection',
  'POST /api/iam/auth/external/saml/logout/:connection',
  'GET /api/iam/auth/external/saml/metadata',
  'GET /api/iam/auth/external/saml/metadata/:connection',
  'GET /api/iam/saml/:clientId/metadata',
  'GET /api/iam/saml/:clientId/slo',
  'POST /api/iam/saml/:clientId/slo',
  'GET /api/iam/saml/:clientId/sso',
  'POST /api/iam/saml/:clientId/sso',
  'GET /api/iam/saml/:clientId/start',
  'GET /api/iam/saml/answer',
  'GET /oauth2/authorize',
  'POST /oauth2/authorize',
  'POST /oauth2/device_authorization',
  'POST /oauth2/introspect',
  'GET /oauth2/logout',
  'POST /oauth2/logout',
  'POST /oauth2/par',
  'POST /oauth2/revoke',
  'POST /oauth2/token',
  'GET /oauth2/userinfo',
  'POST /oauth2/userinfo',
];

describe('Route manifest', () => {
  let routes: readonly Route[];
  const app = withApp();
  beforeAll(async () => {
    routes = app.app.get(RouteManifest).routes;
  });

  /** A diff of the snapshot is a change of who may call what, and is reviewed as one. */
  it('declares who may call each route', () => {
    const lines = routes.map(
      ({ method, path, access, clients, needs, strictLimit }) =>
        `${method} ${path} [${access}] ${clients}${strictLimit === null ? '' : ` (limit: ${strictLimit})`}${needs.map(({ maxAge, acr }) => ` (signed in${maxAge === undefined ? '' : ` within ${maxAge} s`}${acr === undefined ? '' : ` by ${acr}`})`).join('')}`,
    );
    expect(lines).toMatchSnapshot();
  });

  it('opens each route to people, machines or both, as those can hold its scopes', () => {
    const takes = (route: Route) => route.callers !== 'people';
    const bearer = routes.filter(({ declared }) => declared.kind === 'bearer').filter(takes);
    expect(bearer.map(({ method, path }) => `${method} ${path}`)).toEqual(OPEN_TO_MACHINES_WITHOUT_A_SCOPE);
    const registry = app.app.get(AbilityRegistry);
    const closed = routes.flatMap((route) =>
      route.declared.kind !== 'scopes' || takes(route) ? [] : route.declared.scopes,
    );
    const ofTenants = closed.filter((scope) => registry.find(scope)?.audience === 'tenant');
    expect([...new Set(ofTenants)].toSorted()).toEqual(FOR_PEOPLE_ALONE);
    const isOwn = (scope: string) => registry.find(scope)?.audience !== 'tenant';
    const all = [...registry.all.keys()].filter(isOwn);
    expect(all.filter((scope) => !closed.includes(scope)).toSorted()).toEqual(FOR_PLATFORM_ACCOUNTS);
    expect(new Set(routes.map(({ callers }) => callers))).toEqual(new Set(['people', 'people and machines']));
    const withoutCaller = routes.filter(({ declared }) => declared.kind === 'public');
    expect(new Set(withoutCaller.map(({ callers }) => callers))).toEqual(new Set(['people and machines']));
  });

  it('lets a fixed list of routes take any query parameter', () => {
    const any = routes.filter(({ query, clients }) => query === null && clients !== 'directories');
    expect(any.map(({ method, path }) => `${method} ${path}`)).toEqual(TAKING_ANY_QUERY);
  });

  it('opens a fixed list of routes to satellites without a scope', () => {
    const open = routes.filter(({ clients }) => clients === 'app and satellites');
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(OPEN_TO_SATELLITES_WITHOUT_A_SCOPE);
  });
});
