import {
  AbilityPolicy,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../ability/index.js';
import { hasSecret } from './client-traits.js';
import { ClientRepository, type Client } from './client.repository.js';
import '../client.messages.js';

const byOperators = { audience: 'operator' } as const;

/** Decides what operators may do with clients. */
@AbilityPolicy({ module: 'iam', entity: 'satellite', collection: 'satellites' })
@Scope('read', { ...byOperators, operators: 'support' })
@Scope('create', { ...byOperators })
@Scope('update', { ...byOperators })
export class ClientPolicy implements EntityPolicy<Client> {
  constructor(private readonly clients: ClientRepository) {}

  async load(idsOrClientIds: readonly string[], { lock }: LoadContext): Promise<Map<string, Client>> {
    const found = await this.clients.findAllNamed(idsOrClientIds, lock);
    return new Map(
      found.flatMap((client) => [[client.clientId, client] as const, [client.id, client] as const]),
    );
  }

  /** Accepts ids, and client ids as in paths. */
  isId(text: string): boolean {
    return /^[A-Za-z0-9-]{1,64}$/.test(text);
  }

  @Scope('rotate-secret', { ...byOperators })
  rotateSecret({ tokenEndpointAuthMethod: method }: Client): true | Refusal {
    return hasSecret(method) || forbid('satellite.public');
  }

  @Scope('disable', { ...byOperators })
  disable({ disabledAt }: Client): true | Refusal {
    return disabledAt === null || forbid('satellite.disabled');
  }

  @Scope('enable', { ...byOperators })
  enable({ disabledAt }: Client): true | Refusal {
    return disabledAt !== null || forbid('satellite.not-disabled');
  }
}
