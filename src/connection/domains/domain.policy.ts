import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import '../connection.messages.js';

interface Judged {
  readonly id: string;
  readonly inUse: boolean;
}

/** Permissions on the domains of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'domain', collection: 'domains', title: 'scope.domain' })
export class DomainPolicy implements EntityPolicy<Judged> {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const sql = `SELECT id, EXISTS (SELECT FROM connection_domains c
        WHERE c.tenant_id = tenant_domains.tenant_id AND c.domain_id = tenant_domains.id) AS "inUse"
      FROM tenant_domains WHERE tenant_id = $1 AND id = ANY($2)`;
    return this.database.loadByIds<Judged>(sql, ids, context);
  }

  @Scope('read', { title: 'scope.domain.read', allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('create', { title: 'scope.domain.create', on: 'tenants', impersonation: false })
  create(): true {
    return true;
  }

  @Scope('verify', { title: 'scope.domain.verify', impersonation: false })
  verify(): true {
    return true;
  }

  @Scope('delete', { title: 'scope.domain.delete', impersonation: false })
  delete({ inUse }: Judged): true | Refusal {
    return !inUse || forbid('domain.in-use');
  }
}
