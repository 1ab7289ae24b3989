import { objectField, Output, textField, wordField } from '../../platform/api/index.js';
import { CHECKED_AT, DOMAIN_ID, DOMAIN_NAME, DOMAIN_STATUS, VERIFIED_AT } from './domain.fields.js';
import { recordOf } from './domain-lookup.js';
import type { Domain } from './domain.repository.js';

class DomainRecord {
  @Output(wordField(['TXT'] as const, { description: 'Type of the DNS record.' }))
  type: 'TXT';
  @Output(textField({ max: 253, example: '_gatehouse.example.com' }))
  name: string;
  @Output(textField({ max: 100, example: 'gatehouse-verification=3f2a9c' }))
  value: string;
}

export class DomainResponse {
  @Output(DOMAIN_ID)
  id: string;
  @Output(DOMAIN_NAME)
  name: string;
  @Output(DOMAIN_STATUS)
  status: string;
  @Output(objectField(() => DomainRecord))
  record: DomainRecord;
  @Output(VERIFIED_AT, { nullable: true })
  verifiedAt: string | null;
  @Output(CHECKED_AT, { nullable: true })
  checkedAt: string | null;

  static from(domain: Domain): DomainResponse {
    return {
      id: domain.id,
      name: domain.domain,
      status: domain.status,
      record: { type: 'TXT', ...recordOf(domain) },
      verifiedAt: domain.verifiedAt?.toISOString() ?? null,
      checkedAt: domain.checkedAt?.toISOString() ?? null,
    };
  }
}
