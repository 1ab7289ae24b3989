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
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', impersonation: false })
@Scope('verify', { impersonation: false })
export class DomainPolicy implements EntityPolicy<JudgedDomain> {
  constructor(private readonly domains: DomainRepository) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, JudgedDomain>> {
    return this.domains.loadByIds(ids, context);
  }

  @Scope('delete', { impersonation: false })
  delete({ inUse }: JudgedDomain): true | Refusal {
    return !inUse || forbid('domain.in-use');
  }
}
