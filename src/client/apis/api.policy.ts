import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { type Api, ApiRepository } from './api.repository.js';
import '../client.messages.js';

const byOperators = { audience: 'operator' } as const;

/** Decides what operators may do with APIs of the platform. */
@AbilityPolicy({ module: 'iam', entity: 'api', collection: 'apis' })
@Scope('read', { ...byOperators, operators: 'support' })
@Scope('create', { ...byOperators })
@Scope('update', { ...byOperators })
@Scope('delete', { ...byOperators })
export class ApiPolicy implements EntityPolicy<Api> {
  constructor(private readonly apis: ApiRepository) {}

  /** Loads no API of an organization, which manages it. */
  async load(ids: readonly string[], { lock }: LoadContext): Promise<Map<string, Api>> {
    const found = await this.apis.findAll(ids, lock);
    return new Map(found.filter(({ tenantId }) => tenantId === null).map((api) => [api.id, api]));
  }
}
