import { Input, objectField, Output, passwordField } from '../platform/api/index.js';
import {
  COMPANY,
  COUNTRY,
  DISPLAY_NAME,
  FIRST_NAME,
  LAST_NAME,
  LOCALE,
  MARKETING_OPT_IN,
  NamedResponse,
  namesOf,
  NO_NAME,
  type Profile,
  ROLE_KEYS,
  TICKET,
} from '../iam/index.js';
import type { ServiceProfile } from '../machine/index.js';
import type { Impersonated } from '../session/index.js';

/** What a service account sees of itself. */
class ServiceResponse {
  @Output.text({ max: 100, example: 'Warehouse export' })
  name: string;
  @Output.ulid({
    nullable: true,
    description: 'Its organization; null for one of the platform.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
  })
  tenantId: string | null;
  @Output(ROLE_KEYS)
  roles: string[];
}

/** Session in which an operator acts as the person. */
class ImpersonationOfSessionResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  id: string;
  @Output.ulid({ description: 'The operator.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' })
  actorId: string;
  @Output.ulid({ description: 'The only organization.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  tenantId: string;
  @Output.text({ max: 500, example: 'The order list is empty.' })
  reason: string;
  @Output(TICKET, { nullable: true })
  ticket: string | null;
  @Output.time({ description: 'End of the session.' })
  expiresAt: string;
}

/** Account as its owner sees it. */
export class ProfileResponse extends NamedResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.word(['person', 'service'], { description: '`service`: a service account.' })
  kind: 'person' | 'service';
  @Output(objectField(() => ServiceResponse), {
    nullable: true,
    description: 'Of a service account; null for a person.',
  })
  service: ServiceResponse | null;
  @Output.email({
    nullable: true,
    description: 'null for an account that signs in by an external provider and has no verified address.',
    example: 'ada@example.com',
  })
  email: string | null;
  @Output.boolean({
    description: 'Whether the account has an address. The address of an account is always verified.',
    example: true,
  })
  emailVerified: boolean;
  @Output(COMPANY, { nullable: true })
  company: string | null;
  @Output(COUNTRY, { nullable: true })
  country: string | null;
  @Output(MARKETING_OPT_IN)
  marketingOptIn: boolean;
  @Output(LOCALE, { nullable: true })
  locale: string | null;
  @Output.time()
  createdAt: string;
  @Output(objectField(() => ImpersonationOfSessionResponse), {
    required: false,
    description: 'If an operator acts as the person. Left out otherwise.',
    example: {
      id: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
      actorId: '01K3V9D7Q8Z4X5N6M7P8R9S0T5',
      tenantId: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
      reason: 'The order list is empty.',
      ticket: 'SUP-4711',
      expiresAt: '2026-01-02T03:19:05.678Z',
    },
  })
  impersonation?: ImpersonationOfSessionResponse;

  /** @param acting what an operator does in the session; null for the person's own */
  static from(profile: Profile, acting: Impersonated | null = null): ProfileResponse {
    const { id, email, company, country, marketingOptIn, locale, createdAt } = profile;
    return {
      id,
      kind: 'person',
      service: null,
      email,
      emailVerified: email !== null,
      ...namesOf(profile),
      company,
      country,
      marketingOptIn,
      locale,
      createdAt: createdAt.toISOString(),
      ...(acting && { impersonation: impersonationOf(acting) }),
    };
  }

  static ofService({ id, tenantId, name, roles, createdAt }: ServiceProfile): ProfileResponse {
    return {
      id,
      kind: 'service',
      service: { name, tenantId, roles },
      email: null,
      emailVerified: false,
      ...namesOf(NO_NAME),
      company: null,
      country: null,
      marketingOptIn: false,
      locale: null,
      createdAt: createdAt.toISOString(),
    };
  }
}

function impersonationOf({ operatorId, expiresAt, ...acting }: Impersonated): ImpersonationOfSessionResponse {
  return { ...acting, actorId: operatorId, expiresAt: expiresAt.toISOString() };
}

const CLEARABLE = { optional: true, nullable: true, description: 'null clears it.' };

export class UpdateProfileDto {
  @Input(FIRST_NAME, { optional: true })
  firstName?: string;

  @Input(LAST_NAME, CLEARABLE)
  lastName?: string | null;

  @Input(DISPLAY_NAME, { optional: true, nullable: true })
  displayName?: string | null;

  @Input(COMPANY, CLEARABLE)
  company?: string | null;

  @Input(COUNTRY, CLEARABLE)
  country?: string | null;

  @Input(MARKETING_OPT_IN, { optional: true })
  marketingOptIn?: boolean;

  @Input(LOCALE, CLEARABLE)
  locale?: string | null;
}

export class ChangeEmailDto {
  @Input.email()
  email: string;
}

export class ChangePasswordDto {
  @Input(passwordField('compare'))
  currentPassword: string;

  @Input(passwordField('set'))
  newPassword: string;
}
