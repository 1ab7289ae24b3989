import { Injectable } from '@nestjs/common';
import { type Api, LiveApis } from '../../client/index.js';
import { ACRS, type AuthenticationNeed } from '../../kernel/index.js';
import { apiIdOf, apiIdsOf, namesOfApi } from './api-scopes.js';

/** Finds the APIs that waiting requests are for. */
@Injectable()
export class AskedApis {
  constructor(private readonly apis: LiveApis) {}

  /** @returns null for a request for this service; gone if the API has been deleted since */
  async find(scopes: readonly string[]): Promise<Api | null | 'gone'> {
    const apiId = apiIdOf(scopes);
    return apiId === null ? null : ((await this.apis.find(apiId)) ?? 'gone');
  }

  /** Returns the APIs of these scopes, except those that were deleted. */
  async findAll(scopes: readonly string[]): Promise<Api[]> {
    const found = await Promise.all(apiIdsOf(scopes).map((apiId) => this.apis.find(apiId)));
    return found.filter((api) => api !== null);
  }
}

/** Returns the sign-in that the scopes of a request need; null for any. */
export function needOfScopes(api: Api | null, granted: readonly string[]): AuthenticationNeed | null {
  const names = (api && namesOfApi(granted, api.id)) ?? [];
  const asked = api?.scopes.filter(({ name }) => names.includes(name)) ?? [];
  const ages = asked.flatMap(({ maxAge }) => maxAge ?? []);
  const acr = ACRS.findLast((one) => asked.some((scope) => scope.acr === one));
  if (acr === undefined && ages.length === 0) return null;
  return { ...(acr !== undefined && { acr }), ...(ages.length > 0 && { maxAge: Math.min(...ages) }) };
}
