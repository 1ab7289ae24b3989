import { AbilityPolicy, type EntityPolicy, Scope } from '../../ability/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import '../directory.messages.js';

/** Permissions on the tokens of directories, which are judged by their directory. */
@AbilityPolicy({
  module: 'iam',
  entity: 'directory-token',
  collection: 'directory-tokens',
  title: 'scope.directory-token',
})
export class DirectoryTokenPolicy implements EntityPolicy<unknown> {
  /** Subjects are ULIDs, which ids of tokens are not. */
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('create', {
    title: 'scope.directory-token.create',
    on: 'directories',
    firstParty: true,
    ...SENSITIVE,
  })
  create(): true {
    return true;
  }

  @Scope('revoke', { title: 'scope.directory-token.revoke', on: 'directories', impersonation: false })
  revoke(): true {
    return true;
  }
}
