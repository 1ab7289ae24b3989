import { type Recorded, RecordedAs, USER_ID } from '../iam/index.js';
import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const rules = {
  readScope: 'iam:member:read',
  platform: true,
  personal: { source: 'member', field: 'userId' },
} as const;

class SessionEvent {
  @Output(USER_ID)
  userId: string;
  @Output.ulid({ description: 'The session.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  sessionId: string;
}
const session = { data: ({ actorId, id }: Recorded): SessionEvent => ({ userId: actorId, sessionId: id }) };

class ImpersonationEvent {
  @Output(USER_ID)
  userId: string;
  @Output.ulid({ description: 'The impersonation.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  impersonationId: string;
}
const impersonation = {
  data: ({ actorId, id }: Recorded): ImpersonationEvent => ({ userId: actorId, impersonationId: id }),
  byOperator: true,
};

@RecordedAs(['impersonation.started'], impersonation)
@EventType('iam.impersonation.started', { description: 'An operator began to act as a person.', ...rules })
export class ImpersonationStarted extends ImpersonationEvent {}

@RecordedAs(['impersonation.ended'], impersonation)
@EventType('iam.impersonation.ended', { description: 'An operator ceased to act as a person.', ...rules })
export class ImpersonationEnded extends ImpersonationEvent {}

@RecordedAs(['session.started'], session)
@EventType('iam.session.started', { description: 'A person signed in.', ...rules })
export class SessionStarted extends SessionEvent {}

@RecordedAs(['session.ended'], session)
@EventType('iam.session.ended', {
  description: 'A session ended, by the person or because of a change of the account.',
  ...rules,
})
export class SessionEnded extends SessionEvent {}
