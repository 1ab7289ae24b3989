import { SUPPORT_ACCESS, type SignInPolicy } from '../../kernel/index.js';
import {
  emailField,
  integerField,
  objectListField,
  Output,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../../platform/api/index.js';
import { type FoundTenant, MAX_COUNTED_MEMBERS, type TenantPage } from './tenant.repository.js';

/** An organization in a list. */
export class FoundTenantResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' }))
  id: string;
  @Output(textField({ max: 200, example: 'Lovelace Logistics' }))
  name: string;
  @Output(wordField(['active', 'archived']))
  status: 'active' | 'archived';
  @Output(timeField())
  createdAt: string;

  static from({ id, name, createdAt, archivedAt }: FoundTenant): FoundTenantResponse {
    return {
      id,
      name,
      status: archivedAt === null ? 'active' : 'archived',
      createdAt: createdAt.toISOString(),
    };
  }
}

export class TenantOwnerResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  userId: string;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
  @Output(textField({ max: 100, example: 'Ada' }), { nullable: true })
  firstName: string | null;
}

/** An organization, with what support needs. */
export class OperatedTenantResponse extends FoundTenantResponse {
  @Output(timeField({ description: 'When it is deleted; null if no deletion is scheduled.' }), {
    nullable: true,
  })
  deletesAt: string | null;
  @Output(
    integerField({
      min: 0,
      max: MAX_COUNTED_MEMBERS,
      example: 12,
      description: 'Number of members; 10000 stands for that many or more.',
    }),
  )
  members: number;
  @Output(objectListField(() => TenantOwnerResponse, 20))
  owners: TenantOwnerResponse[];
  @Output(wordField(SUPPORT_ACCESS, { description: 'What the organization allows support to do in it.' }))
  supportAccess: SignInPolicy['supportAccess'];

  static of(tenant: TenantPage): OperatedTenantResponse {
    const { deletesAt, members, owners, supportAccess } = tenant;
    return {
      ...FoundTenantResponse.from(tenant),
      deletesAt: deletesAt?.toISOString() ?? null,
      members,
      owners: [...owners],
      supportAccess: supportAccess ?? 'never',
    };
  }
}
