import { type Recorded, RecordedAs, USER_ID } from '../iam/index.js';
import { Output, ulidField } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const rules = {
  readScope: 'iam:member:read',
  platform: true,
  personal: { source: 'member', field: 'userId' },
} as const;

class SessionEvent {
  @Output(USER_ID)
  userId: string;
  @Output(ulidField({ description: 'The session.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' }))
  sessionId: string;
}
const session = { data: ({ actorId, id }: Recorded): SessionEvent => ({ userId: actorId, sessionId: id }) };

@RecordedAs(['session.started'], session)
@EventType('iam.session.started', { description: 'A person signed in.', ...rules })
export class SessionStarted extends SessionEvent {}

@RecordedAs(['session.ended'], session)
@EventType('iam.session.ended', {
  description: 'A session ended, by the person or because of a change of the account.',
  ...rules,
})
export class SessionEnded extends SessionEvent {}
