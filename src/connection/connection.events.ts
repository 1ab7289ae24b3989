import { type Recorded, RecordedAs } from '../iam/index.js';
import { Output, ulidField } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const ofDomains = { readScope: 'iam:domain:read' } as const;

class DomainEvent {
  @Output(ulidField({ description: 'The domain.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0D1' }))
  domainId: string;
}
const domain = { data: ({ id }: Recorded): DomainEvent => ({ domainId: id }) };

@RecordedAs(['domain.added'], domain)
@EventType('iam.domain.added', { description: 'A domain was added; it proves nothing yet.', ...ofDomains })
export class DomainAdded extends DomainEvent {}

@RecordedAs(['domain.verified'], domain)
@EventType('iam.domain.verified', { description: 'A domain was verified.', ...ofDomains })
export class DomainVerified extends DomainEvent {}

@EventType('iam.domain.lapsed', {
  description: 'The record of a verified domain was missing for seven days: it proves nothing any more.',
  ...ofDomains,
})
export class DomainLapsed extends DomainEvent {}

@RecordedAs(['domain.removed'], domain)
@EventType('iam.domain.removed', { description: 'A domain was removed.', ...ofDomains })
export class DomainRemoved extends DomainEvent {}
