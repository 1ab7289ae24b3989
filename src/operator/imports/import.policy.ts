import { AbilityPolicy, type EntityPolicy, Scope } from '../../ability/index.js';
import { OPERATING } from '../../kernel/index.js';
import '../operator.messages.js';

/** Permits operators to import people of another system. */
@AbilityPolicy({ module: 'platform', entity: 'import', collection: 'imports', title: 'scope.import' })
export class ImportPolicy implements EntityPolicy<unknown> {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('create', {
    title: 'scope.import.create',
    audience: 'operator',
    platformAccounts: true,
    ...OPERATING,
  })
  create(): true {
    return true;
  }
}
