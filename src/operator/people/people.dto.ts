import { IdentityResponse } from '../../external-identity/index.js';
import {
  type AccountExport,
  AuditEventResponse,
  type FoundAccount,
  NamedResponse,
  namesOf,
  ROLE_KEYS,
  SignInFailuresResponse,
} from '../../iam/index.js';
import { OPERATOR_ROLES, type OperatorRole } from '../../kernel/index.js';
import {
  Input,
  objectField,
  objectListField,
  Output,
  wordField,
  toResponse,
} from '../../platform/api/index.js';
import type { MailRecord } from '../../platform/mail/index.js';
import type { SessionSummary } from '../../session/index.js';
import { MAX_SHOWN, type PersonPage } from './person-page.service.js';
import type { ErasureRequest } from './erasure-request.repository.js';
import type { HeldMembership } from './person.repository.js';

const STATUS = wordField(['active', 'suspended']);
const MAIL_STATES = ['waiting', 'sent', 'deferred', 'refused', 'expired'] as const;

/** A person in a list. */
export class FoundPersonResponse extends NamedResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  userId: string;
  @Output.email({ nullable: true, example: 'ada@example.com' })
  email: string | null;
  @Output(STATUS)
  status: 'active' | 'suspended';
  @Output.time()
  createdAt: string;

  static from(person: FoundAccount): FoundPersonResponse {
    return toResponse(FoundPersonResponse, {
      ...person,
      ...namesOf(person),
      userId: person.id,
      status: person.suspendedAt === null ? 'active' : 'suspended',
    });
  }
}

export class HeldMembershipResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  tenantId: string;
  @Output.text({ max: 200, example: 'Lovelace Logistics' })
  name: string;
  @Output.boolean({ description: 'Whether the organization is archived.' })
  archived: boolean;
  @Output(STATUS)
  status: 'active' | 'suspended';
  @Output(ROLE_KEYS)
  roles: string[];
  @Output.time()
  joinedAt: string;
  @Output.boolean({ description: 'Whether an operator may act as the person there now.' })
  letsSupportIn: boolean;

  static from(membership: HeldMembership): HeldMembershipResponse {
    return toResponse(HeldMembershipResponse, membership);
  }
}

export class SessionOfPersonResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  id: string;
  @Output.time()
  createdAt: string;
  @Output.time()
  lastSeenAt: string;
  @Output.text({ nullable: true, max: 512, example: 'Mozilla/5.0' })
  userAgent: string | null;
  @Output.text({ nullable: true, max: 45, description: 'IPv4 or IPv6.', example: '203.0.113.7' })
  ipAddress: string | null;
  @Output.boolean({
    required: false,
    description: 'An operator acts as the person in this session. Left out otherwise.',
  })
  impersonation?: true;

  static from(session: SessionSummary): SessionOfPersonResponse {
    return toResponse(SessionOfPersonResponse, {
      ...session,
      ...(session.isImpersonation && { impersonation: true }),
    });
  }
}

export class MailRecordResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' })
  id: string;
  @Output.text({ max: 100, pattern: '^[a-z-]+$', example: 'password-reset' })
  kind: string;
  @Output.word(MAIL_STATES, {
    description:
      '`waiting` for the first attempt; `sent`: the mail server took it; `deferred`: it is tried again; `refused` by the mail server; `expired`: not sent in time, or withdrawn.',
  })
  state: (typeof MAIL_STATES)[number];
  @Output.integer({ min: 0, max: 2_147_483_647, description: 'Number of attempts.', example: 1 })
  attempts: number;
  @Output.text({
    nullable: true,
    max: 300,
    description: 'What the mail server said last, without the address.',
    example: '250 2.0.0 Ok: queued as 4Yx7Qp',
  })
  reply: string | null;
  @Output.boolean({
    description: 'Whether it can be sent again: it was sent or refused, and its link is valid.',
  })
  canResend: boolean;
  @Output.time()
  createdAt: string;
  @Output.time({ description: 'Time of the last attempt.' })
  updatedAt: string;

  static from(mail: MailRecord): MailRecordResponse {
    return toResponse(MailRecordResponse, mail);
  }
}

/** A change of address that waits for its confirmation. */
export class PendingEmailChangeResponse {
  @Output.email({ description: 'The new address.', example: 'ada@example.net' })
  email: string;
  @Output.time({ description: 'Until when it can be confirmed.' })
  expiresAt: string;
}

/** An erasure that waits for a second operator. */
export class ErasureRequestResponse {
  @Output.ulid({ description: 'Operator who asked for it.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  requestedBy: string;
  @Output.text({
    nullable: true,
    max: 2_048,
    description: 'Name of this operator, or else the address; null if the account is gone.',
    example: 'Ada Lovelace',
  })
  requestedByName: string | null;
  @Output.time()
  requestedAt: string;
  @Output.time({ description: 'Until when another operator can confirm it.' })
  expiresAt: string;

  static from({ operatorId, operatorName, createdAt, expiresAt }: ErasureRequest): ErasureRequestResponse {
    const requested = { requestedBy: operatorId, requestedByName: operatorName, requestedAt: createdAt };
    return toResponse(ErasureRequestResponse, { ...requested, expiresAt });
  }
}

/** An export of a person. Without its id, as operators cannot read it. */
export class StartedExportResponse {
  @Output.time()
  createdAt: string;
  @Output.time({ description: 'When it is deleted.' })
  expiresAt: string;

  static from(started: AccountExport): StartedExportResponse {
    return toResponse(StartedExportResponse, started);
  }
}

/** A person, with what support needs. */
export class PersonResponse extends FoundPersonResponse {
  @Output.text({ nullable: true, max: 200, example: 'Lovelace Logistics' })
  company: string | null;
  @Output.text({ nullable: true, max: 100, example: 'GB' })
  country: string | null;
  @Output.text({ nullable: true, max: 35, example: 'en-GB' })
  locale: string | null;
  @Output.time({ nullable: true })
  suspendedAt: string | null;
  @Output.boolean({ description: 'Whether the account has a password.' })
  hasPassword: boolean;
  @Output.word(OPERATOR_ROLES, { nullable: true, description: 'Role as an operator; null for no operator.' })
  operatorRole: OperatorRole | null;
  @Output.list({
    max: 3,
    pattern: /^(?:totp|passkey|recovery_code)$/,
    message: 'must be a kind of second factor',
    description: 'Kinds of second factors that can be used now.',
    example: ['totp'],
  })
  factors: string[];
  @Output.time({ nullable: true, description: 'When the second factors are reset; null if no reset waits.' })
  factorsResetAt: string | null;
  @Output.time({
    nullable: true,
    description: 'Until when a mailed link to set a password is valid; null without one.',
  })
  passwordResetExpiresAt: string | null;
  @Output(objectField(() => PendingEmailChangeResponse), { nullable: true })
  emailChange: PendingEmailChangeResponse | null;
  @Output(objectListField(() => HeldMembershipResponse, MAX_SHOWN))
  memberships: HeldMembershipResponse[];
  @Output(objectListField(() => SessionOfPersonResponse, MAX_SHOWN))
  sessions: SessionOfPersonResponse[];
  @Output(objectListField(() => IdentityResponse, MAX_SHOWN))
  identities: IdentityResponse[];
  @Output(objectListField(() => AuditEventResponse, MAX_SHOWN))
  events: AuditEventResponse[];
  @Output(objectListField(() => SignInFailuresResponse, MAX_SHOWN), {
    description: 'Newest series of wrong passwords, at most 50.',
  })
  signInFailures: SignInFailuresResponse[];
  @Output(objectListField(() => MailRecordResponse, MAX_SHOWN))
  mails: MailRecordResponse[];
  @Output(objectField(() => ErasureRequestResponse), { nullable: true })
  erasure: ErasureRequestResponse | null;

  static of(person: PersonPage): PersonResponse {
    const { emailChange } = person;
    return toResponse(PersonResponse, {
      ...person,
      ...FoundPersonResponse.from(person),
      factorsResetAt: person.resetAt,
      emailChange: emailChange && { ...emailChange, expiresAt: emailChange.expiresAt.toISOString() },
      memberships: person.memberships.map((membership) => HeldMembershipResponse.from(membership)),
      sessions: person.sessions.map((session) => SessionOfPersonResponse.from(session)),
      identities: person.identities.map((identity) => IdentityResponse.from(identity)),
      events: person.events.map(({ event, names }) => AuditEventResponse.from(event, names)),
      signInFailures: person.failures.map(({ details }) => details),
      erasure: person.erasure && ErasureRequestResponse.from(person.erasure),
      mails: person.mails.map((mail) => MailRecordResponse.from(mail)),
    });
  }
}

export class EndedResponse {
  @Output.integer({ min: 0, max: 10_000, description: 'Number of sessions that have ended.', example: 3 })
  ended: number;
}

/** Query of the list of people, in addition to the page's. At most one field. */
export class PeopleQuery {
  @Input.text({
    optional: true,
    max: 254,
    description:
      'An id, an address, `@` and a domain, or any part of names and address. Fewer than three Latin letters or digits are the beginning of an address, or else of a first name.',
    example: 'lovela',
  })
  query?: string;

  @Input.text({
    optional: true,
    max: 100,
    description: 'Beginning of the first name, whatever case and accents.',
    example: 'ada',
  })
  name?: string;

  @Input.ulid({
    optional: true,
    description: 'Members of this organization.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  tenantId?: string;

  @Input.ulid({
    optional: true,
    description: 'People who can sign in by this connection.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0C1',
  })
  connectionId?: string;

  @Input.word(['suspended'], { optional: true, description: 'People whose account is suspended.' })
  status?: 'suspended';
}
