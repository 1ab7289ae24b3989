import {
  AbilityPolicy,
  conflict,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { MembershipDirectory, TenantLockedPolicy } from '../../iam/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import '../connection.messages.js';
import { isInUse } from './connection.js';
import { ConnectionReach } from './connection-reach.js';
import { ConnectionRepository, type FoundConnection } from './connection.repository.js';

/** Connection, with what the decision needs to know of the caller. */
interface Judged extends FoundConnection {
  /** Whether people may sign in by it, or its rules give roles, who hold more than the caller. */
  readonly exceedsCaller: boolean;
  readonly callerIsOwner: boolean;
}

/**
 * Permissions on the connections of an organization. A connection decides who signs in: changes are
 * reserved for the first-party app and need a recent sign-in. A caller who changes
 * what it accepts can sign in as each person who signs in by it: people who hold more than the
 * caller are out of reach (ADR 50).
 */
@AbilityPolicy({ module: 'iam', entity: 'connection', collection: 'connections' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', firstParty: true, ...SENSITIVE })
export class ConnectionPolicy extends TenantLockedPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly reach: ConnectionReach,
    private readonly directory: MembershipDirectory,
  ) {
    super();
  }

  async load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    const { principal, lock } = context;
    const { tenantId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.connections.loadByIds(ids, context);
    const exceeding = await this.reach.findExceeding(principal, tenantId, [...found.keys()], lock);
    const callerIsOwner = await this.directory.isOwner(principal.userId, tenantId, lock);
    return new Map(
      [...found].map(([id, connection]) => [
        id,
        { ...connection, callerIsOwner, exceedsCaller: exceeding.has(id) },
      ]),
    );
  }

  @Scope('update', { firstParty: true, ...SENSITIVE })
  update(connection: Judged): true | Refusal {
    return !isAboveCaller(connection) || forbid('connection.exceeds-caller');
  }

  /** A change of a connection in use by a person or link that is no owner waits for it. */
  @Scope('confirm', { firstParty: true, ...SENSITIVE })
  confirm(connection: Judged): true | Refusal {
    if (!connection.callerIsOwner) return forbid('connection.owners-only');
    return !isAboveCaller(connection) || forbid('connection.exceeds-caller');
  }

  @Scope('activate', { firstParty: true, ...SENSITIVE })
  activate({ status, isTested, exceedsCaller }: Judged): true | Refusal {
    if (status === 'active') return conflict('connection.active-already');
    if (!isTested) return conflict('connection.not-tested');
    return !exceedsCaller || forbid('connection.exceeds-caller');
  }

  @Scope('test', { firstParty: true })
  test(): true {
    return true;
  }

  @Scope('delete', { firstParty: true, ...SENSITIVE })
  delete(connection: Judged): true | Refusal {
    if (connection.isEnforced) return conflict('connection.enforced');
    return !isAboveCaller(connection) || forbid('connection.exceeds-caller');
  }
}

/** A connection that was never activated signs no person in: it can be set up. */
const isAboveCaller = (connection: Judged): boolean => isInUse(connection) && connection.exceedsCaller;
