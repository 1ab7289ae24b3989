import { type Recorded, RecordedAs, recordedEvents, USER_ID } from '../iam/index.js';
import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const rules = {
  readScope: 'iam:member:read',
  platform: true,
  personal: { source: 'member', field: 'userId' },
} as const;

class AuthenticatorEvent {
  @Output(USER_ID)
  userId: string;
  @Output.ulid({ description: 'The authenticator.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  authenticatorId: string;
  @Output.word(['totp', 'passkey'], { description: 'An authenticator app, or a passkey.' })
  method: string;
}
recordedEvents(
  AuthenticatorEvent,
  {
    ...rules,
    data: ({ actorId, id, action }: Recorded): AuthenticatorEvent => ({
      userId: actorId,
      authenticatorId: id,
      method: action.includes('totp') ? 'totp' : 'passkey',
    }),
  },
  {
    'iam.authenticator.added': [
      'A person has another second factor.',
      'account.totp-added',
      'account.passkey-added',
    ],
    'iam.authenticator.removed': [
      'A second factor of a person was removed.',
      'account.totp-removed',
      'account.passkey-removed',
    ],
  },
);

@RecordedAs(['account.authenticators-reset'], {
  data: ({ actorId }): { userId: string } => ({ userId: actorId }),
  byOperator: true,
})
@EventType('iam.authenticator.reset', {
  description: 'All second factors of a person were removed at the request of an operator.',
  ...rules,
})
export class AuthenticatorsReset {
  @Output(USER_ID)
  userId: string;
}
