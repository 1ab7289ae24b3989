import { CHANGED, type Recorded, RecordedAs } from '../iam/index.js';
import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const ofKeys = { readScope: 'iam:api-key:read' } as const;
const ofAccounts = { readScope: 'iam:service-account:read' } as const;

class KeyEvent {
  @Output.ulid({ description: 'The key.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  keyId: string;
  @Output.ulid({ description: 'Its service account or person.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  ownerId: string;
}
const key = { data: ({ id, holderId }: Recorded): KeyEvent => ({ keyId: id, ownerId: holderId }) };

@RecordedAs(['key.created'], key)
@EventType('iam.key.created', { description: 'A key was created.', ...ofKeys })
export class KeyCreated extends KeyEvent {}

@RecordedAs(['key.revoked', 'key.leaked'], key)
@EventType('iam.key.revoked', {
  description: 'A key was revoked, or ended with its owner.',
  ...ofKeys,
})
export class KeyRevoked extends KeyEvent {}

@RecordedAs(['key.expiring'], { ...key, byOperator: true })
@EventType('iam.key.expiring', { description: 'A key expires within a week.', ...ofKeys })
export class KeyExpiring extends KeyEvent {}

class TrustRuleEvent {
  @Output.ulid({ description: 'The rule.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' })
  ruleId: string;
  @Output.ulid({ description: 'Its service account.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  serviceAccountId: string;
}
const rule = {
  data: ({ id, holderId }: Recorded): TrustRuleEvent => ({ ruleId: id, serviceAccountId: holderId }),
};

@RecordedAs(['trust-rule.created'], rule)
@EventType('iam.trust-rule.created', {
  description: 'A service account trusts a workload.',
  readScope: 'iam:trust-rule:read',
})
export class TrustRuleCreated extends TrustRuleEvent {}

@RecordedAs(['trust-rule.deleted'], rule)
@EventType('iam.trust-rule.deleted', {
  description: 'A service account trusts a workload no longer.',
  readScope: 'iam:trust-rule:read',
})
export class TrustRuleDeleted extends TrustRuleEvent {}

@RecordedAs(['key-policy.changed'], { data: ({ changed }) => ({ changed: [...changed] }) })
@EventType('iam.key-policy.changed', {
  description: 'An organization asks something else of keys.',
  readScope: 'iam:key-policy:read',
})
export class KeyPolicyChanged {
  @Output(CHANGED, { example: ['personalKeys'] })
  changed: string[];
}

class ServiceAccountEvent {
  @Output.ulid({ description: 'The service account.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  serviceAccountId: string;
}
const account = { data: ({ id }: Recorded): ServiceAccountEvent => ({ serviceAccountId: id }) };

@RecordedAs(['service-account.created'], account)
@EventType('iam.service-account.created', { description: 'A service account was created.', ...ofAccounts })
export class ServiceAccountCreated extends ServiceAccountEvent {}

@RecordedAs(['service-account.updated'], {
  data: ({ id, changed }) => ({ serviceAccountId: id, changed: [...changed] }),
})
@EventType('iam.service-account.updated', {
  description: 'Name, description, contact or roles of a service account were changed.',
  ...ofAccounts,
})
export class ServiceAccountUpdated extends ServiceAccountEvent {
  @Output(CHANGED, { example: ['roles'] })
  changed: string[];
}

@RecordedAs(['service-account.disabled'], account)
@EventType('iam.service-account.disabled', {
  description: 'A service account was disabled: its credentials are refused.',
  ...ofAccounts,
})
export class ServiceAccountDisabled extends ServiceAccountEvent {}

@RecordedAs(['service-account.enabled'], account)
@EventType('iam.service-account.enabled', { description: 'A service account was enabled.', ...ofAccounts })
export class ServiceAccountEnabled extends ServiceAccountEvent {}

@RecordedAs(['service-account.deleted'], account)
@EventType('iam.service-account.deleted', {
  description: 'A service account was deleted with its credentials.',
  ...ofAccounts,
})
export class ServiceAccountDeleted extends ServiceAccountEvent {}
