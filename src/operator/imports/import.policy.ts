import { AbilityPolicy, BY_ADMINS, PolicyWithoutEntity, Scope } from '../../ability/index.js';
import '../operator.messages.js';

/** Permits operators to import people of another system. */
@AbilityPolicy({ module: 'platform', entity: 'import', collection: 'imports' })
export class ImportPolicy extends PolicyWithoutEntity {
  @Scope('create', { ...BY_ADMINS })
  create(): true {
    return true;
  }
}
