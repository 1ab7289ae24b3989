import {
  AbilityPolicy,
  conflict,
  type EntityPolicy,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import '../connection.messages.js';
import type { ConnectionStatus } from './connection.js';

interface Judged {
  readonly id: string;
  readonly status: ConnectionStatus;
  /** Whether a test has passed since the settings last changed. */
  readonly isTested: boolean;
  /** Whether it is the only active one, and the organization requires one. */
  readonly isEnforced: boolean;
}

/**
 * Permissions on the connections of an organization. A connection decides who signs in: changes are
 * reserved for the first-party app and need a recent sign-in.
 */
@AbilityPolicy({ module: 'iam', entity: 'connection', collection: 'connections', title: 'scope.connection' })
export class ConnectionPolicy implements EntityPolicy<Judged> {
  constructor(private readonly database: TenantDatabase) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const sql = `SELECT c.id, c.status, c.tested_version IS NOT DISTINCT FROM c.settings_version AS "isTested",
        c.status = 'active' AND t.sign_in_policy->>'sso' IS NOT DISTINCT FROM 'required' AND NOT EXISTS (
          SELECT FROM connections o WHERE o.tenant_id = $1 AND o.status = 'active' AND o.id <> c.id) AS "isEnforced"
      FROM connections c JOIN tenants t ON t.id = c.tenant_id WHERE c.tenant_id = $1 AND c.id = ANY($2)`;
    return this.database.loadByIds<Judged>(sql, ids, context);
  }

  @Scope('read', { title: 'scope.connection.read', allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('create', { title: 'scope.connection.create', on: 'tenants', firstParty: true, ...SENSITIVE })
  create(): true {
    return true;
  }

  @Scope('update', { title: 'scope.connection.update', firstParty: true, ...SENSITIVE })
  update(): true {
    return true;
  }

  @Scope('activate', { title: 'scope.connection.activate', firstParty: true, ...SENSITIVE })
  activate({ status, isTested }: Judged): true | Refusal {
    if (status === 'active') return conflict('connection.active-already');
    return isTested || conflict('connection.not-tested');
  }

  @Scope('test', { title: 'scope.connection.test', firstParty: true })
  test(): true {
    return true;
  }

  @Scope('delete', { title: 'scope.connection.delete', firstParty: true, ...SENSITIVE })
  delete({ isEnforced }: Judged): true | Refusal {
    return !isEnforced || conflict('connection.enforced');
  }
}
