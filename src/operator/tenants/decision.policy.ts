import { AbilityPolicy, BY_ADMINS, PolicyWithoutEntity, Scope } from '../../ability/index.js';
import '../operator.messages.js';

/** Permission to ask what anyone may do, for service accounts of the platform. */
@AbilityPolicy({
  module: 'platform',
  entity: 'decision',
  collection: 'questions',
  title: 'scope.platform-decision',
})
@Scope('read', { ...BY_ADMINS })
export class OperatedDecisionPolicy extends PolicyWithoutEntity {}
