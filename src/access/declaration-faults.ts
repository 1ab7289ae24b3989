import type { AbilityRegistry } from '../ability/index.js';
import type { RouteAccess } from './route-access.js';

interface DeclaredRoute {
  readonly method: string;
  readonly path: string;
  readonly declared: RouteAccess;
}

/** Returns the faults in a route's declaration of access, as texts for its developer. */
export function faultsOf({ method, path, declared }: DeclaredRoute, abilities: AbilityRegistry): string[] {
  const say = (fault: string) => `${method} ${path} ${fault}`;
  if (declared.kind === 'undeclared')
    return [
      say(
        "declares no access; add @Public('why'), @RequireScopes(), or @Bearer() with the clients that it is for",
      ),
    ];
  if (declared.kind !== 'scopes') return [];
  const { scopes, subject, tenant, anywhere } = declared;
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const missing = [subject, tenant].filter((name) => name !== undefined && !parameters.includes(name));
  return [
    ...scopes
      .filter((scope) => !abilities.find(scope))
      .map((scope) => say(`needs ${scope}, which no policy declares`)),
    ...missing.map((name) => say(`is judged by :${name}, which is not in its path`)),
    ...(anywhere && (method !== 'GET' || subject !== undefined)
      ? [say('is @HeldAnywhere(), which is for lists: GET, without @AbilitySubject()')]
      : []),
    // Without a subject no policy is called, and the scope alone would decide.
    ...(subject === undefined && parameters.some((name) => name !== tenant)
      ? [say('names something that no policy judges; add @AbilitySubject() with its parameter')]
      : []),
  ];
}
