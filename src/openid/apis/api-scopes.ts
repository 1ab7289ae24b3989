import type { Api } from '../../client/index.js';

/**
 * Scopes of APIs are in lists of granted and consented scopes as `<id of the API>/<name>`, so that
 * one API's cannot pass for another's, or for a permission of this service. `<id>/` stands for the
 * API itself, which may have no scopes.
 */
const QUALIFIED = /^([0-9A-HJKMNP-TV-Z]{26})\/(.*)$/;

/** An API that a client reaches. */
export interface ApiTarget {
  readonly api: Api;
  /** Names of the scopes that the client can have. */
  readonly reach: ReadonlySet<string>;
}

/**
 * Returns the scopes of a request for an API: those that the client can have, and the API itself.
 * @param requested names; undefined for all
 */
export function scopesOfApi({ api, reach }: ApiTarget, requested: string | undefined): string[] {
  const asked = requested === undefined ? undefined : new Set(requested.split(' '));
  const names = api.scopes.map(({ name }) => name);
  return [
    `${api.id}/`,
    ...names
      .filter((name) => reach.has(name) && (asked?.has(name) ?? true))
      .map((name) => `${api.id}/${name}`),
  ];
}

/** Returns the scopes of OpenID Connect and of this service. */
export function plainScopesOf(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !QUALIFIED.test(scope));
}

/** Returns the API that a grant or request of these scopes is for; null for this service. */
export function apiIdOf(scopes: readonly string[]): string | null {
  for (const scope of scopes) {
    const [, apiId] = QUALIFIED.exec(scope) ?? [];
    if (apiId !== undefined) return apiId;
  }
  return null;
}

/** Returns the APIs of granted or consented scopes, in order of id. */
export function apiIdsOf(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => QUALIFIED.exec(scope)?.[1] ?? []))].sort();
}

/** Returns the names of scopes of an API; null if the API itself is not among them. */
export function namesOfApi(scopes: readonly string[], apiId: string): string[] | null {
  if (!scopes.includes(`${apiId}/`)) return null;
  return scopes.flatMap((scope) => {
    const [, id, name = ''] = QUALIFIED.exec(scope) ?? [];
    return id === apiId && name !== '' ? [name] : [];
  });
}

/** Returns scopes as clients name them: without the APIs that they are of. */
export function spokenScopesOf(scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => {
    const [, , name = scope] = QUALIFIED.exec(scope) ?? [];
    return name === '' ? [] : [name];
  });
}
