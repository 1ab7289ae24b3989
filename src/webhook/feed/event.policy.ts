import { AbilityPolicy, PolicyWithoutEntity, Scope } from '../../ability/index.js';
import '../webhook.messages.js';

/** Permits to read the events of an organization, of the types that the caller may read. */
@AbilityPolicy({ module: 'webhooks', entity: 'event', collection: 'events', title: 'scope.webhook-event' })
export class EventPolicy extends PolicyWithoutEntity {
  @Scope('read', { allowedWhenArchived: true })
  read(): true {
    return true;
  }
}
