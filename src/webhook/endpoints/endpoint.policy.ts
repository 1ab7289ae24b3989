import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { EndpointRepository } from './endpoint.repository.js';
import { EventReaders } from './event-readers.js';
import '../webhook.messages.js';

interface Judged {
  readonly id: string;
  readonly types: readonly string[];
  /** Read scope of its events that the caller does not hold; null if there is none. */
  readonly lackedScope: string | null;
}

/** Permissions on the subscriptions of an organization. */
@AbilityPolicy({
  module: 'webhooks',
  entity: 'subscription',
  collection: 'subscriptions',
  title: 'scope.webhook-subscription',
})
export class EndpointPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly readers: EventReaders,
  ) {}

  async load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const { principal, lock, scopes } = context;
    if (principal.tenantId === null) return new Map();
    const findLacked = scopes.has('webhooks:subscription:rotate')
      ? await this.readers.createLackedScopeOf(principal.tenantId, principal, lock)
      : () => null;
    const found = await this.endpoints.loadByIds(ids, context);
    return new Map([...found].map(([id, one]) => [id, { ...one, lackedScope: findLacked(one.types) }]));
  }

  @Scope('read', { allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('create', { impersonation: false })
  create(): true {
    return true;
  }

  @Scope('update', { impersonation: false })
  update(): true {
    return true;
  }

  @Scope('delete', { impersonation: false })
  delete(): true {
    return true;
  }

  @Scope('rotate', { firstParty: true, ...SENSITIVE })
  rotate({ lackedScope }: Judged): true | Refusal {
    return lackedScope === null ? true : forbid('webhook.needs-scope', { scope: lackedScope });
  }

  @Scope('test', { impersonation: false })
  test(): true {
    return true;
  }
}
