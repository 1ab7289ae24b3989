import { SUPPORT_ACCESS, type SignInPolicy } from '../../kernel/index.js';
import {
  emailField,
  integerField,
  objectField,
  objectListField,
  Output,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../../platform/api/index.js';
import { NamedResponse, namesOf, type TenantLimits } from '../../iam/index.js';
import { MAILS_PER_DAY, MAX_LIMIT, OPEN_INVITATIONS } from './tenant-limits.fields.js';
import { type FoundTenant, MAX_COUNTED_MEMBERS, type TenantPage } from './tenant.repository.js';

/** Limits that operators have set for an organization. */
export class SetLimitsResponse {
  @Output(MAILS_PER_DAY, { nullable: true })
  mailsPerDay: number | null;
  @Output(OPEN_INVITATIONS, { nullable: true })
  openInvitations: number | null;
}

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

export class TenantOwnerResponse extends NamedResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  userId: string;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
}

/** What an organization may send to people who do not belong to it. */
export class TenantLimitsResponse {
  @Output(MAILS_PER_DAY, { nullable: true })
  mailsPerDay: number | null;
  @Output(OPEN_INVITATIONS, { nullable: true })
  openInvitations: number | null;
  @Output(objectField(() => SetLimitsResponse))
  set: SetLimitsResponse;
  @Output(
    integerField({
      min: 0,
      max: MAX_LIMIT,
      example: 3,
      description: 'Mails that count, since midnight in UTC.',
    }),
  )
  mailsToday: number;

  static of({ mailsPerDay, openInvitations, set, mailsToday }: TenantLimits): TenantLimitsResponse {
    return { mailsPerDay, openInvitations, set: { ...set }, mailsToday };
  }
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
  @Output(objectField(() => TenantLimitsResponse))
  limits: TenantLimitsResponse;

  static of(tenant: TenantPage & { readonly limits: TenantLimits }): OperatedTenantResponse {
    const { deletesAt, members, owners, supportAccess } = tenant;
    return {
      ...FoundTenantResponse.from(tenant),
      deletesAt: deletesAt?.toISOString() ?? null,
      members,
      owners: owners.map(({ userId, email, ...person }) => ({ userId, email, ...namesOf(person) })),
      supportAccess: supportAccess ?? 'never',
      limits: TenantLimitsResponse.of(tenant.limits),
    };
  }
}
