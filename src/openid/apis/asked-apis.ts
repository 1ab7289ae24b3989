import { Injectable } from '@nestjs/common';
import { type Api, type Client, ClientService, LiveApis } from '../../client/index.js';
import { ACRS, type AuthenticationNeed } from '../../kernel/index.js';
import { apiIdOf, apiIdsOf, namesOfApi } from './api-scopes.js';

interface AskingRequest {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** A client that asks, and for which API. */
export interface Asking {
  readonly client: Client;
  /** Null for this service. */
  readonly api: Api | null;
}

/** Finds the clients of waiting requests, and the APIs that they ask for. */
@Injectable()
export class AskedApis {
  constructor(
    private readonly clients: ClientService,
    private readonly apis: LiveApis,
  ) {}

  /** @returns null if the client is disabled, or the API has been deleted since */
  async findAsking({ clientId, scopes }: AskingRequest): Promise<Asking | null> {
    const client = await this.clients.findEnabled(clientId);
    const apiId = apiIdOf(scopes);
    const api = apiId === null ? null : await this.apis.find(apiId);
    return client && (apiId === null || api) ? { client, api } : null;
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
