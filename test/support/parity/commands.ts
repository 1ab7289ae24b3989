import type { AbilityRegistry } from '../../../src/ability/index.js';
import type { Route, RouteManifest } from '../../../src/access/index.js';
import { SCOPES } from './scopes.js';

/** Further commands of a scope, of which the specs named here ask the check and the command. */
const ASKED_BY_OTHERS: Readonly<Record<string, string>> = {
  'POST /api/v1/iam/apis/:apiId/credentials': 'openid/openid-apis.spec.ts',
  'PUT /api/v1/iam/satellites/:clientId/apis/:apiId': 'openid/openid-apis.spec.ts',
  'DELETE /api/v1/operator/people/:userId/sessions/:sessionId': 'operator/people.spec.ts',
  'POST /api/v1/operator/bulk-actions/end-sessions': 'operator/bulk-actions.spec.ts',
  'POST /api/v1/operator/bulk-actions/resend-mails': 'operator/bulk-actions.spec.ts',
  'DELETE /api/v1/operator/people/:userId/password-reset': 'operator/people.spec.ts',
  'DELETE /api/v1/operator/people/:userId/email-change': 'operator/people.spec.ts',
  'PUT /api/v1/operator/agent-policy': 'openid/openid-agents.spec.ts',
  'PUT /api/v1/iam/tenants/:id/agent-policy': 'openid/openid-agents.spec.ts',
  'DELETE /api/v1/iam/tenants/:id/agents/:agentId': 'openid/openid-agents.spec.ts',
  'POST /api/v1/iam/tenants/:id/apis': 'openid/openid-apis.spec.ts',
  'PATCH /api/v1/iam/tenants/:id/apis/:apiId': 'openid/openid-apis.spec.ts',
  'DELETE /api/v1/iam/tenants/:id/apis/:apiId': 'openid/openid-apis.spec.ts',
  'POST /api/v1/iam/tenants/:id/apis/:apiId/credentials': 'openid/openid-apis.spec.ts',
  'PUT /api/v1/iam/tenants/:id/clients/:clientId/apis/:apiId': 'openid/openid-apis.spec.ts',
  'PUT /api/v1/iam/tenants/:id/clients/:clientId/consent': 'openid/member-consent.spec.ts',
  'DELETE /api/v1/iam/tenants/:id/clients/:clientId/consent': 'openid/member-consent.spec.ts',
  'POST /api/v1/iam/saml-clients': 'saml-provider/saml-platform-apps.spec.ts',
  'GET /api/v1/iam/saml-clients/:clientId': 'saml-provider/saml-platform-apps.spec.ts',
  'PATCH /api/v1/iam/saml-clients/:clientId': 'saml-provider/saml-platform-apps.spec.ts',
  'POST /api/v1/iam/saml-clients/:clientId/rotate-key': 'saml-provider/saml-platform-apps.spec.ts',
  'POST /api/v1/iam/tenants/:id/saml-clients': 'saml-provider/saml-clients.spec.ts',
  'PATCH /api/v1/iam/tenants/:id/saml-clients/:clientId': 'saml-provider/saml-clients.spec.ts',
  'POST /api/v1/iam/tenants/:id/saml-clients/:clientId/rotate-key': 'saml-provider/saml-clients.spec.ts',
};

/** Scopes that no route requires: questions are compared by the specs named here. */
export const ASKED_ONLY: Readonly<Record<string, string>> = {
  'access:decision:read': 'ability/authzen-others.spec.ts',
  'platform:decision:read': 'ability/authzen-others.spec.ts',
};

/** Command of a scope: a route that requires it. */
export interface Command {
  readonly scope: string;
  readonly method: string;
  /** Method and declared path. */
  readonly route: string;
  /** Whether it changes anything when it is allowed. */
  readonly changes: boolean;
  /** Module and collection of the entity that the path names. */
  readonly module: string;
  readonly collection: string;
  /** Whether the path names an entity at all. */
  readonly namesSubject: boolean;
  /** Whether the path names a tenant besides the entity. */
  readonly namesTenant: boolean;
  path(ids: {
    readonly subject: string;
    readonly tenant: string;
    /** Other parameters by name. */
    readonly others?: Readonly<Record<string, string>>;
  }): string;
}

/**
 * Lists the commands of all declared scopes, from the declarations of the routes.
 * @throws if a scope has no route, or a route has a declaration that this test does not support
 */
export function commandsOf(registry: AbilityRegistry, { routes }: RouteManifest): readonly Command[] {
  const commands = routes.flatMap((route) => {
    if (route.declared.kind !== 'scopes') return [];
    const [scope, ...others] = route.declared.scopes;
    if (scope === undefined || others.length > 0) throw new Error(`${route.path} requires not one scope.`);
    if (readsItemOfSubject(route) || readsForChange(scope, route)) return [];
    if (`${route.method} ${route.path}` in ASKED_BY_OTHERS) return [];
    return [toCommand(scope, route, registry)];
  });
  for (const scope of registry.all.keys()) {
    if (!(scope in ASKED_ONLY) && !commands.some((command) => command.scope === scope))
      throw new Error(`No route requires ${scope}: there is no command to compare the probe with.`);
  }
  return commands;
}

/** Whether a route reads an item by an id that no rule judges, after the check of what holds it. */
function readsItemOfSubject({ method, path, declared }: Route): boolean {
  const { subject, tenant } = declared as Extract<typeof declared, { kind: 'scopes' }>;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return method === 'GET' && names.some((name) => name !== subject && name !== tenant);
}

/** Whether a route only reads what may be changed: by POST, or by the scope of the change. */
const readsForChange = (scope: string, { method, countsAsRead }: Route): boolean =>
  method === 'GET' ? SCOPES[scope]?.done !== undefined : countsAsRead;

function toCommand(scope: string, { method, path, declared }: Route, registry: AbilityRegistry): Command {
  const { subject, tenant } = declared as Extract<typeof declared, { kind: 'scopes' }>;
  const facts = SCOPES[scope];
  if (!facts) throw new Error(`Tell test/support/parity/scopes.ts what ${scope} is about.`);
  const changes = facts.done !== undefined;
  if (changes === (method === 'GET')) throw new Error(`${method} ${path}: does it change anything or not?`);
  const { module = '', name = '' } = registry.find(scope)?.judged ?? {};
  return {
    scope,
    method,
    route: `${method} ${path}`,
    changes,
    module,
    collection: name,
    namesSubject: subject !== undefined,
    namesTenant: tenant !== undefined && tenant !== subject,
    path: (ids) =>
      path.replace(/:(\w+)/g, (_, parameter: string) => {
        if (parameter === subject) return encodeURIComponent(ids.subject);
        if (parameter === 'tokenId' || (parameter === 'userId' && subject === 'directoryId'))
          return encodeURIComponent(ids.subject); // of the first one
        const other = parameter === tenant ? ids.tenant : ids.others?.[parameter];
        if (other === undefined) throw new Error(`What is :${parameter} in ${path}?`);
        return encodeURIComponent(other);
      }),
  };
}
