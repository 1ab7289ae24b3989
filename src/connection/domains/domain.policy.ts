import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { DomainRepository, type JudgedDomain } from './domain.repository.js';
import '../connection.messages.js';

/** Permissions on the domains of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'domain', collection: 'domains' })
export class DomainPolicy implements EntityPolicy<JudgedDomain> {
  constructor(private readonly domains: DomainRepository) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, JudgedDomain>> {
    return this.domains.loadByIds(ids, context);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants', impersonation: false })
  create(): true {
    return true;
  }

  @Scope('verify', { impersonation: false })
  verify(): true {
    return true;
  }

  @Scope('delete', { impersonation: false })
  delete({ inUse }: JudgedDomain): true | Refusal {
    return !inUse || forbid('domain.in-use');
  }
}
