import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';
import { type Recorded, recordedEvents } from '../iam/index.js';
import type { UserId } from '../kernel/index.js';
import type { DirectoryScope } from './records/record-rules.js';

/**
 * Returns an event of the audit trail about a directory.
 * @param actorId by default the directory itself
 */
export const eventOf = (
  { tenantId, directoryId }: DirectoryScope,
  what: string,
  actorId = directoryId as UserId,
) => ({ actorId, tenantId, action: `directory.${what}`, subject: `iam/directories/${directoryId}` });

const rules = { readScope: 'iam:directory:read' } as const;

class DirectoryEvent {
  @Output.ulid({ description: 'The directory.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  directoryId: string;
}
const recorded = { ...rules, data: ({ id }: Recorded): DirectoryEvent => ({ directoryId: id }) };

recordedEvents(DirectoryEvent, recorded, {
  'iam.directory.created': 'A directory was created.',
  'iam.directory.updated': 'A directory was changed.',
  'iam.directory.deleted': 'A directory was deleted. Members stay, with their roles.',
  'iam.directory.rules-changed': 'Groups of a directory give other roles.',
  'iam.directory.token-created': 'A directory has a new token.',
  'iam.directory.token-revoked': 'A token of a directory was revoked.',
  'iam.directory.sync-refused':
    'A change of a directory was refused, as the organization would have no owner.',
});

recordedEvents(
  DirectoryEvent,
  { ...recorded, byOperator: true },
  {
    'iam.directory.token-expiring': 'A token of a directory expires within a week.',
    'iam.directory.token-stopped':
      'A token of a directory is refused, as its creator could not create it any more.',
  },
);

/** What a directory did with a person whom it sent. It is no one's account until it is linked. */
class DirectoryUserEvent extends DirectoryEvent {
  @Output.ulid({ description: 'The record of the directory.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  directoryUserId: string;
  @Output.ulid({
    nullable: true,
    description: 'Account that is this person; null if none is known.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  userId: string | null;
}

@EventType('iam.directory.user-created', { description: 'A directory sent a new person.', ...rules })
export class DirectoryUserCreated extends DirectoryUserEvent {}

@EventType('iam.directory.user-updated', { description: 'A directory changed a person.', ...rules })
export class DirectoryUserUpdated extends DirectoryUserEvent {}

@EventType('iam.directory.user-deactivated', {
  description: 'A directory deactivated a person, whose membership is suspended.',
  ...rules,
})
export class DirectoryUserDeactivated extends DirectoryUserEvent {}

@EventType('iam.directory.user-reactivated', {
  description: 'A directory activated a person again.',
  ...rules,
})
export class DirectoryUserReactivated extends DirectoryUserEvent {}

@EventType('iam.directory.user-deleted', {
  description: 'A person was deleted from a directory: by it, or with the erased account.',
  ...rules,
})
export class DirectoryUserDeleted extends DirectoryUserEvent {}
