import { CHANGED, type Recorded, RecordedAs, recordedEvents } from '../iam/index.js';
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

recordedEvents(
  KeyEvent,
  { ...ofKeys, ...key },
  {
    'iam.key.created': 'A key was created.',
    'iam.key.revoked': ['A key was revoked, or ended with its owner.', 'key.revoked', 'key.leaked'],
  },
);

@RecordedAs(['key.expiring'], { ...key, byOperator: true })
@EventType('iam.key.expiring', { description: 'A key expires within a week.', ...ofKeys })
export class KeyExpiring extends KeyEvent {}

class TrustRuleEvent {
  @Output.ulid({ description: 'The rule.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' })
  ruleId: string;
  @Output.ulid({ description: 'Its service account.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  serviceAccountId: string;
}
recordedEvents(
  TrustRuleEvent,
  {
    readScope: 'iam:trust-rule:read',
    data: ({ id, holderId }: Recorded): TrustRuleEvent => ({ ruleId: id, serviceAccountId: holderId }),
  },
  {
    'iam.trust-rule.created': 'A service account trusts a workload.',
    'iam.trust-rule.deleted': 'A service account trusts a workload no longer.',
  },
);

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

recordedEvents(
  ServiceAccountEvent,
  { ...ofAccounts, ...account },
  {
    'iam.service-account.created': 'A service account was created.',
    'iam.service-account.disabled': 'A service account was disabled: its credentials are refused.',
    'iam.service-account.enabled': 'A service account was enabled.',
    'iam.service-account.deleted': 'A service account was deleted with its credentials.',
  },
);

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
