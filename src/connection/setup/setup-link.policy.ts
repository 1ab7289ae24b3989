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
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', firstParty: true, ...SENSITIVE })
@Scope('revoke', { impersonation: false })
export class SetupLinkPolicy implements EntityPolicy<Judged> {
  constructor(private readonly links: SetupLinkRepository) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, Judged>> {
    return this.links.loadByIds(ids, context);
  }
}
