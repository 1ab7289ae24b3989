import { type Recorded, recordedEvents, USER_ID } from '../iam/index.js';
import { Output } from '../platform/api/index.js';

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

recordedEvents(
  ImpersonationEvent,
  { ...rules, ...impersonation },
  {
    'iam.impersonation.started': 'An operator began to act as a person.',
    'iam.impersonation.ended': 'An operator ceased to act as a person.',
  },
);

recordedEvents(
  SessionEvent,
  { ...rules, data: ({ actorId, id }: Recorded): SessionEvent => ({ userId: actorId, sessionId: id }) },
  {
    'iam.session.started': 'A person signed in.',
    'iam.session.ended': 'A session ended, by the person or because of a change of the account.',
  },
);
