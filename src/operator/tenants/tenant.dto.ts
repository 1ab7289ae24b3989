import {
  Input,
  integerField,
  objectField,
  objectListField,
  Output,
  toResponse,
} from '../../platform/api/index.js';
import { type SignInPolicy, SUPPORT_ACCESS } from '../../kernel/index.js';
import { NamedResponse, namesOf, SLUG, type Tenant, type TenantLimits } from '../../iam/index.js';
import { MAX_COUNTED_MEMBERS, type TenantPage } from './tenant.repository.js';
import { MAX_EXPORTED, type TenantPart } from './tenant-export.repository.js';

const MAX_LIMIT = 2_147_483_647;
const MAILS_PER_DAY = integerField({
  min: 0,
  max: MAX_LIMIT,
  example: 2_000,
  description: 'Mails a day to addresses outside its verified domains: invitations and set-up links.',
});
const OPEN_INVITATIONS = integerField({
  min: 0,
  max: MAX_LIMIT,
  example: 5_000,
  description: 'Maximum number of open invitations.',
});

/** Limits that operators have set for an organization. */
export class SetLimitsResponse {
  @Output(MAILS_PER_DAY, { nullable: true })
  mailsPerDay: number | null;
  @Output(OPEN_INVITATIONS, { nullable: true })
  openInvitations: number | null;
}

/** An organization in a list. */
export class FoundTenantResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  id: string;
  @Output.text({ max: 200, example: 'Lovelace Logistics' })
  name: string;
  @Output.word(['active', 'archived'])
  status: 'active' | 'archived';
  @Output.time()
  createdAt: string;
  @Output(SLUG, { required: false })
  slug?: string;

  static from({ slug, ...tenant }: Tenant): FoundTenantResponse {
    return toResponse(FoundTenantResponse, {
      ...tenant,
      status: tenant.archivedAt === null ? 'active' : 'archived',
      ...(slug !== null && { slug }),
    });
  }
}

export class TenantOwnerResponse extends NamedResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  userId: string;
  @Output.email({ nullable: true, example: 'ada@example.com' })
  email: string | null;
}

/** What an organization may send to people who do not belong to it. */
export class TenantLimitsResponse extends SetLimitsResponse {
  @Output(objectField(() => SetLimitsResponse))
  set: SetLimitsResponse;
  @Output.integer({
    min: 0,
    max: MAX_LIMIT,
    example: 3,
    description: 'Mails that count, since midnight in UTC.',
  })
  mailsToday: number;

  static of(limits: TenantLimits): TenantLimitsResponse {
    return toResponse(TenantLimitsResponse, limits);
  }
}

/** An organization, with what support needs. */
export class OperatedTenantResponse extends FoundTenantResponse {
  @Output.time({ nullable: true, description: 'When it is deleted; null if no deletion is scheduled.' })
  deletesAt: string | null;
  @Output.integer({
    min: 0,
    max: MAX_COUNTED_MEMBERS,
    example: 12,
    description: 'Number of members; 10000 stands for that many or more.',
  })
  members: number;
  @Output(objectListField(() => TenantOwnerResponse, 20))
  owners: TenantOwnerResponse[];
  @Output.word(SUPPORT_ACCESS, { description: 'What the organization allows support to do in it.' })
  supportAccess: SignInPolicy['supportAccess'];
  @Output(objectField(() => TenantLimitsResponse))
  limits: TenantLimitsResponse;

  static of(tenant: TenantPage & { readonly limits: TenantLimits }): OperatedTenantResponse {
    const { deletesAt, members, owners, supportAccess, limits } = tenant;
    return toResponse(OperatedTenantResponse, {
      ...FoundTenantResponse.from(tenant),
      deletesAt,
      members,
      owners: owners.map((owner) => ({ ...owner, ...namesOf(owner) })),
      supportAccess: supportAccess ?? 'never',
      limits: TenantLimitsResponse.of(limits),
    });
  }
}

const OBJECTS = {
  type: 'array' as const,
  maxItems: MAX_EXPORTED,
  items: { type: 'object' as const, additionalProperties: true },
};

export class TenantPartResponse {
  @Output.text({ max: 100, example: 'members' })
  name: string;
  @Output(
    { schema: OBJECTS },
    { description: 'The newest first, at most 10,000.', example: [{ email: 'ada@example.com' }] },
  )
  items: object[];
  @Output.boolean({ description: 'Whether there are no more items than these.', example: true })
  complete: boolean;
}

/** What is kept about an organization. */
export class TenantExportResponse {
  @Output.time()
  createdAt: string;
  @Output(objectListField(() => TenantPartResponse, 100))
  parts: TenantPartResponse[];

  static of(parts: readonly TenantPart[]): TenantExportResponse {
    return {
      createdAt: new Date().toISOString(),
      parts: parts.map((part) => ({ ...part, items: [...part.items] })),
    };
  }
}

export class TenantLimitsDto {
  @Input(MAILS_PER_DAY, { optional: true, nullable: true })
  mailsPerDay?: number | null;
  @Input(OPEN_INVITATIONS, { optional: true, nullable: true })
  openInvitations?: number | null;
}

/** Query of the list of organizations, in addition to the page's. */
export class TenantsQuery {
  @Input.text({
    optional: true,
    max: 200,
    description:
      'An id, a verified domain, or any part of name or slug, whatever case and accents; the beginning of the name if the text is short of three Latin letters or digits.',
    example: 'lovelace',
  })
  query?: string;
}
