import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { SetupLinkRepository } from './setup-link.repository.js';
import '../connection.messages.js';

interface Judged {
  readonly id: string;
}

/**
 * Permissions on the set-up links of an organization. A link outlives the session that created it:
 * creation needs a recent sign-in.
 */
@AbilityPolicy({ module: 'iam', entity: 'setup-link', collection: 'setup-links' })
export class SetupLinkPolicy implements EntityPolicy<Judged> {
  constructor(private readonly links: SetupLinkRepository) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    return this.links.loadByIds(ids, context);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants', firstParty: true, ...SENSITIVE })
  create(): true {
    return true;
  }

  @Scope('revoke', { impersonation: false })
  revoke(): true {
    return true;
  }
}
