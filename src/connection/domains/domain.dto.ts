import { Input, objectField, Output, textField, toResponse } from '../../platform/api/index.js';
import { recordOf } from './domain-lookup.js';
import type { Domain } from './domain.repository.js';

const DOMAIN_NAME = textField({
  max: 253,
  example: 'example.com',
  description: 'No public suffix, IP address, or provider of free mail. Kept as A-label in lower case.',
});

class DomainRecord {
  @Output.word(['TXT'] as const, { description: 'Type of the DNS record.' })
  type: 'TXT';
  @Output.text({ max: 253, example: '_gatehouse.example.com' })
  name: string;
  @Output.text({ max: 100, example: 'gatehouse-verification=3f2a9c' })
  value: string;
}

export class DomainResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0D1' })
  id: string;
  @Output(DOMAIN_NAME)
  name: string;
  @Output.word(['pending', 'verified', 'lapsed'] as const, {
    description: '`lapsed`: the record was missing for seven days; the domain proves nothing any more.',
  })
  status: string;
  @Output(objectField(() => DomainRecord))
  record: DomainRecord;
  @Output.time({ description: 'Time of the verification; null before the first.', nullable: true })
  verifiedAt: string | null;
  @Output.time({
    description: 'Time of the last check; verified domains are checked daily.',
    nullable: true,
  })
  checkedAt: string | null;

  static from(domain: Domain): DomainResponse {
    return toResponse(DomainResponse, {
      ...domain,
      name: domain.domain,
      record: { type: 'TXT', ...recordOf(domain) },
    });
  }
}

export class AddDomainDto {
  @Input(DOMAIN_NAME)
  name: string;
}
