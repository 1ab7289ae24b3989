import { AbilityPolicy, PolicyWithoutEntity, Scope } from '../ability/index.js';
import './overview.messages.js';

/** Permits to see the figures of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'overview', collection: 'overview' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
export class OverviewPolicy extends PolicyWithoutEntity {}
