import { Output } from '../../platform/api/index.js';
import { EventType } from '../../platform/events/index.js';
import { CHANGED, USER_ID } from '../audit/audit.declarations.js';
import { RecordedAs, type Recorded } from '../audit/recorded-as.js';

const readScope = 'iam:member:read';
const personal = { source: 'member', field: 'userId' } as const;
const ofPerson = ({ actorId }: Recorded): { userId: string } => ({ userId: actorId });

class AccountEvent {
  @Output(USER_ID)
  userId: string;
}

@RecordedAs(['account.created'], { data: ofPerson })
@EventType('iam.account.created', {
  description: 'A person has a new account.',
  readScope,
  platform: true,
  personal,
})
export class AccountCreated extends AccountEvent {}

@EventType('iam.account.updated', {
  description: 'The profile of a person was changed.',
  readScope,
  platform: true,
  personal,
})
export class AccountUpdated extends AccountEvent {
  @Output(CHANGED, { example: ['firstName'] })
  changed: string[];
}

@RecordedAs(['account.email-changed', 'account.email-restored', 'directory.email-changed'], {
  data: ({ id }): { userId: string } => ({ userId: id }),
})
@EventType('iam.account.address-changed', {
  description: 'A person has another address.',
  readScope,
  platform: true,
  personal,
})
export class AddressChanged extends AccountEvent {}

@RecordedAs(['account.suspended'], { data: ofPerson, byOperator: true })
@EventType('iam.account.suspended', {
  description: 'An operator suspended an account. All its sessions have ended.',
  readScope,
  platform: true,
  personal,
})
export class AccountSuspended extends AccountEvent {}

@RecordedAs(['account.restored'], { data: ofPerson, byOperator: true })
@EventType('iam.account.restored', {
  description: 'An operator ended the suspension of an account.',
  readScope,
  platform: true,
  personal,
})
export class AccountRestored extends AccountEvent {}

@RecordedAs(['account.erased'], { data: ofPerson })
@EventType('iam.account.erased', {
  description: 'An account and its personal data were erased. Remove what you keep about the person.',
  readScope,
  platform: true,
})
export class AccountErased extends AccountEvent {}

@RecordedAs(['account.password-changed', 'account.password-reset', 'account.password-removed'], {
  data: ({ actorId, action }): { userId: string; how: string } => ({
    userId: actorId,
    how: action.replace('account.password-', ''),
  }),
})
@EventType('iam.password.changed', {
  description: 'The password of an account was changed, reset by mail, or removed.',
  readScope,
  platform: true,
  personal,
})
export class PasswordChanged extends AccountEvent {
  @Output.word(['changed', 'reset', 'removed'], { description: 'How it changed.' })
  how: string;
}
