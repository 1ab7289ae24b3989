import { AbilityPolicy, BY_ADMINS, PolicyWithoutEntity, Scope } from '../../ability/index.js';
import '../operator.messages.js';

/** Permits operators to import people of another system. */
@AbilityPolicy({ module: 'platform', entity: 'import', collection: 'imports' })
@Scope('create', { ...BY_ADMINS })
export class ImportPolicy extends PolicyWithoutEntity {}
