import {
  booleanField,
  emailField,
  objectField,
  Output,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../../../platform/api/index.js';
import { COMPANY, COUNTRY, FIRST_NAME, LOCALE, MARKETING_OPT_IN } from '../account.fields.js';
import { ROLE_KEYS } from '../../organizations/roles/role.fields.js';
import type { Profile } from '../account.repository.js';
import type { ServiceProfile } from './service-profiles.js';

/** What a service account sees of itself. */
class ServiceResponse {
  @Output(textField({ max: 100, example: 'Warehouse export' }))
  name: string;
  @Output(ulidField({ description: 'Its organization.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  tenantId: string;
  @Output(ROLE_KEYS)
  roles: string[];
}

/** Account as its owner sees it. */
export class ProfileResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
  @Output(wordField(['person', 'service'], { description: '`service`: a service account.' }))
  kind: 'person' | 'service';
  @Output(objectField(() => ServiceResponse), {
    nullable: true,
    description: 'Of a service account; null for a person.',
  })
  service: ServiceResponse | null;
  @Output(
    emailField({
      description: 'null for an account that signs in by an external provider and has no verified address.',
      example: 'ada@example.com',
    }),
    { nullable: true },
  )
  email: string | null;
  @Output(
    booleanField({
      description: 'Whether the account has an address. The address of an account is always verified.',
      example: true,
    }),
  )
  emailVerified: boolean;
  @Output(FIRST_NAME, { nullable: true })
  firstName: string | null;
  @Output(COMPANY, { nullable: true })
  company: string | null;
  @Output(COUNTRY, { nullable: true })
  country: string | null;
  @Output(MARKETING_OPT_IN)
  marketingOptIn: boolean;
  @Output(LOCALE, { nullable: true })
  locale: string | null;
  @Output(timeField())
  createdAt: string;

  static from(profile: Profile): ProfileResponse {
    const { id, email, firstName, company, country, marketingOptIn, locale, createdAt } = profile;
    return {
      id,
      kind: 'person',
      service: null,
      email,
      emailVerified: email !== null,
      firstName,
      company,
      country,
      marketingOptIn,
      locale,
      createdAt: createdAt.toISOString(),
    };
  }

  static ofService({ id, tenantId, name, roles, createdAt }: ServiceProfile): ProfileResponse {
    return {
      id,
      kind: 'service',
      service: { name, tenantId, roles },
      email: null,
      emailVerified: false,
      firstName: null,
      company: null,
      country: null,
      marketingOptIn: false,
      locale: null,
      createdAt: createdAt.toISOString(),
    };
  }
}

/** Constant response of an operation that must not tell whether it had an effect. */
export class AcceptedResponse {
  @Output(wordField(['accepted']))
  status: 'accepted';
}

/** Constant response to a registration, whether or not the address has an account. */
export class VerificationRequiredResponse {
  @Output(wordField(['verification_required']))
  status: 'verification_required';
}
