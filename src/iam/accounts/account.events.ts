import { Output } from '../../platform/api/index.js';
import { EventType } from '../../platform/events/index.js';
import { CHANGED, USER_ID } from '../audit/audit.declarations.js';
import { type Recorded, RecordedAs, recordedEvents } from '../audit/recorded-as.js';

const rules = { readScope: 'iam:member:read', platform: true } as const;
const personal = { source: 'member', field: 'userId' } as const;
const ofPerson = ({ actorId }: Recorded): { userId: string } => ({ userId: actorId });

class AccountEvent {
  @Output(USER_ID)
  userId: string;
}

recordedEvents(
  AccountEvent,
  { ...rules, personal, data: ofPerson },
  { 'iam.account.created': 'A person has a new account.' },
);

@EventType('iam.account.updated', {
  description: 'The profile of a person was changed.',
  ...rules,
  personal,
})
export class AccountUpdated extends AccountEvent {
  @Output(CHANGED, { example: ['firstName'] })
  changed: string[];
}

recordedEvents(
  AccountEvent,
  { ...rules, personal, data: ({ id }: Recorded) => ({ userId: id }) },
  {
    'iam.account.address-changed': [
      'A person has another address.',
      'account.email-changed',
      'account.email-restored',
      'directory.email-changed',
    ],
  },
);

recordedEvents(
  AccountEvent,
  { ...rules, personal, data: ofPerson, byOperator: true },
  {
    'iam.account.suspended': 'An operator suspended an account. All its sessions have ended.',
    'iam.account.restored': 'An operator ended the suspension of an account.',
  },
);

recordedEvents(
  AccountEvent,
  { ...rules, data: ofPerson },
  {
    'iam.account.erased':
      'An account and its personal data were erased. Remove what you keep about the person.',
  },
);

@RecordedAs(['account.password-changed', 'account.password-reset', 'account.password-removed'], {
  data: ({ actorId, action }): { userId: string; how: string } => ({
    userId: actorId,
    how: action.replace('account.password-', ''),
  }),
})
@EventType('iam.password.changed', {
  description: 'The password of an account was changed, reset by mail, or removed.',
  ...rules,
  personal,
})
export class PasswordChanged extends AccountEvent {
  @Output.word(['changed', 'reset', 'removed'], { description: 'How it changed.' })
  how: string;
}
