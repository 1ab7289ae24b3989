import {
  emailField,
  Input,
  integerField,
  objectField,
  objectListField,
  Output,
  timeField,
  ulidField,
  toResponse,
} from '../../../platform/api/index.js';
import { NamedResponse, namesOf } from '../../accounts/person-name.js';
import { SLUG, TENANT_NAME, thingsField } from '../organization.declarations.js';
import { ROLE_KEYS } from '../roles/role.fields.js';
import {
  type Partnership,
  PARTNERSHIP_STATUSES,
  type PartnershipStatus,
  type PartnershipWithPeople,
  type PartnerPerson,
} from './partnership.repository.js';

/** People of one partnership, at most. */
export const MAX_PEOPLE = 200;

const PARTNERSHIP_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' });
const USER_ID = ulidField({ description: 'The person.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' });
const ON = thingsField(
  100,
  'Things on which the roles hold, and on what is below them. Default: the whole host.',
);
const UNTIL = timeField({ description: 'End of the access. Default: none.' });
const LATER = '2099-12-31T18:00:00.000Z';
const PEOPLE = integerField({
  min: 1,
  max: MAX_PEOPLE,
  example: 5,
  description: `Maximum number of people on it. Default: ${MAX_PEOPLE}.`,
});

export class OfferPartnershipDto {
  @Input(emailField({ example: 'grace@carrier.example' }), {
    optional: true,
    description: 'Address of an admin of the partner. Give either it or `tenantSlug`.',
  })
  email?: string;

  @Input(SLUG, { optional: true, nullable: true, description: 'Slug of the partner.', example: null })
  tenantSlug?: string | null;

  @Input(ROLE_KEYS)
  roles: string[];

  @Input(ON, { optional: true })
  on?: string[];

  @Input(UNTIL, { optional: true, example: LATER })
  until?: string;

  @Input(PEOPLE, { optional: true })
  maxPeople?: number;
}

export class ChangePartnershipDto {
  @Input(ROLE_KEYS, { optional: true })
  roles?: string[];

  @Input(ON, { optional: true, nullable: true })
  on?: string[] | null;

  @Input(UNTIL, { optional: true, nullable: true, example: LATER })
  until?: string | null;

  @Input(PEOPLE, { optional: true, nullable: true })
  maxPeople?: number | null;
}

export class PutPartnerPersonDto {
  @Input(ROLE_KEYS, { description: 'Keys of roles that the partnership offers.' })
  roles: string[];

  @Input(ON, { optional: true, description: 'Some of the things that the partnership offers. Default: all.' })
  on?: string[];

  @Input(UNTIL, { optional: true, example: LATER })
  until?: string;
}

/** Organization on the other side. */
export class PartnerOrganizationResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output(TENANT_NAME)
  name: string;
}

/** A member of the partner who works in the host. */
export class PartnerPersonResponse extends NamedResponse {
  @Output(USER_ID)
  userId: string;
  @Output.email({ nullable: true, example: 'grace@carrier.example' })
  email: string | null;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output(ON, { nullable: true })
  on: string[] | null;
  @Output(UNTIL, { nullable: true })
  until: string | null;
  @Output.time({ description: 'When the person was put on it.' })
  createdAt: string;

  static from(person: PartnerPerson): PartnerPersonResponse {
    return toResponse(PartnerPersonResponse, { ...person, ...namesOf(person), on: toUris(person.things) });
  }
}

class OfferedResponse {
  @Output(PARTNERSHIP_ID)
  id: string;
  @Output.word(PARTNERSHIP_STATUSES)
  status: PartnershipStatus;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output(ON, { nullable: true })
  on: string[] | null;
  @Output(UNTIL, { nullable: true })
  until: string | null;
  @Output(PEOPLE, { nullable: true })
  maxPeople: number | null;
  @Output.integer({ min: 0, max: MAX_PEOPLE, example: 2, description: 'Number of people on it.' })
  peopleCount: number;
  @Output.time()
  createdAt: string;

  protected static offered(partnership: Partnership): OfferedResponse {
    const { things, people: peopleCount } = partnership;
    return toResponse(OfferedResponse, { ...partnership, on: toUris(things), peopleCount });
  }
}

/** A partnership, as the host sees it. */
export class PartnershipResponse extends OfferedResponse {
  @Output.email({ nullable: true, example: 'grace@carrier.example' })
  email: string | null;
  @Output(SLUG, { nullable: true })
  tenantSlug: string | null;
  @Output(objectField(() => PartnerOrganizationResponse), { nullable: true })
  partner: PartnerOrganizationResponse | null;

  static from(partnership: Partnership): PartnershipResponse {
    const { email, slug, partnerId, partnerName } = partnership;
    const partner = partnerId !== null && partnerName !== null ? { id: partnerId, name: partnerName } : null;
    return { ...PartnershipResponse.offered(partnership), email, tenantSlug: slug, partner };
  }
}

/** A partnership, as the host sees it, with its people. */
export class PartnershipDetailsResponse extends PartnershipResponse {
  @Output(objectListField(() => PartnerPersonResponse, MAX_PEOPLE))
  people: PartnerPersonResponse[];

  static of({ partnership, people }: PartnershipWithPeople): PartnershipDetailsResponse {
    return { ...this.from(partnership), people: people.map((one) => PartnerPersonResponse.from(one)) };
  }
}

/** A partnership, as the partner sees it. */
export class PartnerAccessResponse extends OfferedResponse {
  @Output(objectField(() => PartnerOrganizationResponse))
  host: PartnerOrganizationResponse;

  static from(partnership: Partnership): PartnerAccessResponse {
    const { tenantId, hostName } = partnership;
    return { ...PartnerAccessResponse.offered(partnership), host: { id: tenantId, name: hostName } };
  }
}

/** A partnership, as the partner sees it, with its people. */
export class PartnerAccessDetailsResponse extends PartnerAccessResponse {
  @Output(objectListField(() => PartnerPersonResponse, MAX_PEOPLE))
  people: PartnerPersonResponse[];

  static of({ partnership, people }: PartnershipWithPeople): PartnerAccessDetailsResponse {
    return { ...this.from(partnership), people: people.map((one) => PartnerPersonResponse.from(one)) };
  }
}

const toUris = (things: readonly string[] | null): string[] | null =>
  things && things.map((thing) => `gatehouse:///${thing}`);
