import { AbilityPolicy, forbid, PolicyWithoutEntity, type Refusal, Scope } from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import type { JudgedDirectory } from './directory.policy.js';
import '../directory.messages.js';

/** Permissions on the tokens of directories, which are judged by their directory. */
@AbilityPolicy({ module: 'iam', entity: 'directory-token', collection: 'directory-tokens' })
export class DirectoryTokenPolicy extends PolicyWithoutEntity {
  /** Who holds a token says who is in a group, and so who has the roles of its rules. */
  @Scope('create', { on: 'directories', firstParty: true, ...SENSITIVE })
  create({ exceedsCaller }: JudgedDirectory): true | Refusal {
    return !exceedsCaller || forbid('directory.exceeds-caller');
  }

  @Scope('revoke', { on: 'directories', impersonation: false })
  revoke(): true {
    return true;
  }
}
