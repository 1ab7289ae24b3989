import { objectListField, Output } from '../../platform/api/index.js';
import type { Api } from '../../client/index.js';
import { namesOfApi } from './api-scopes.js';

class AskedScopeResponse {
  @Output.text({ max: 100, example: 'orders:read' })
  name: string;
  @Output.text({ max: 200, example: 'Read orders' })
  title: string;
}

/** An API for which a client asks, with the scopes that a person sees who consents. */
export class AskedApiResponse {
  @Output.text({ max: 500, format: 'uri', example: 'https://orders.example.com/api' })
  identifier: string;
  @Output.text({ max: 100, example: 'Orders' })
  name: string;
  @Output(objectListField(() => AskedScopeResponse, 100))
  scopes: AskedScopeResponse[];

  /** Returns the APIs that were granted. */
  static listOf(apis: readonly Api[], granted: readonly string[]): AskedApiResponse[] {
    const asked = apis.filter(({ id }) => namesOfApi(granted, id) !== null);
    return asked.map((api) => AskedApiResponse.from(api, granted));
  }

  static from({ id, identifier, name, scopes }: Api, granted: readonly string[]): AskedApiResponse {
    const asked = namesOfApi(granted, id) ?? [];
    return {
      identifier,
      name,
      scopes: scopes
        .filter((scope) => asked.includes(scope.name))
        .map((scope) => ({ name: scope.name, title: scope.title })),
    };
  }
}
