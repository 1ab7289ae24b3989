import { type AbilityRegistry } from '../../../src/ability/index.js';
import { type Route, type RouteManifest } from '../../../src/access/index.js';
import { SCOPES } from './scopes.js';

/** The real command of a scope: a route that requires it and nothing else. */
export interface Command {
  readonly scope: string;
  readonly method: string;
  /** Whether it changes anything when it is allowed. */
  readonly changes: boolean;
  /** The collection whose entity the path names. */
  readonly collection: string;
  /** Whether the path names a tenant beside it. */
  readonly namesTenant: boolean;
  path(ids: { readonly subject: string; readonly tenant: string }): string;
}

/**
 * Every declared scope's command, taken from what the routes declare.
 * @throws where a scope has no route, or the proof knows nothing of it
 */
export function commandsOf(registry: AbilityRegistry, manifest: RouteManifest): ReadonlyMap<string, Command> {
  const all = [...registry.all.keys()].map((scope) => {
    const route = manifest.routes.find(
      ({ declared }) => declared.kind === 'scopes' && declared.scopes.join() === scope,
    );
    if (!route) throw new Error(`No route requires ${scope}: there is no command to compare the probe with.`);
    if (!SCOPES[scope]) throw new Error(`Tell test/support/parity/scopes.ts what ${scope} is about.`);
    return [scope, toCommand(scope, route, registry)] as const;
  });
  return new Map(all);
}

function toCommand(scope: string, { method, path, declared }: Route, registry: AbilityRegistry): Command {
  const { subject, tenant } = declared as Extract<typeof declared, { kind: 'scopes' }>;
  const changes = SCOPES[scope]?.done !== undefined;
  if (changes === (method === 'GET'))
    throw new Error(`${method} of ${scope}: does it change anything or not?`);
  return {
    scope,
    method,
    changes,
    collection: registry.find(scope)?.judged.name ?? '',
    namesTenant: tenant !== undefined && tenant !== subject,
    path: (ids) =>
      path.replace(/:(\w+)/g, (_, name: string) => {
        if (name !== subject && name !== tenant) throw new Error(`What is :${name} in ${path}?`);
        return encodeURIComponent(name === subject ? ids.subject : ids.tenant);
      }),
  };
}
