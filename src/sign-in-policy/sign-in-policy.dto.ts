import {
  PIN_RESET_RULES,
  SECOND_FACTOR_RULES,
  type SetSignInPolicy,
  type SignInPolicy,
  SSO_RULES,
  STATION_RULES,
} from '../kernel/index.js';
import {
  booleanField,
  Input,
  integerField,
  listField,
  MAX_COUNTED,
  objectListField,
  Output,
  PartialType,
  wordField,
} from '../platform/api/index.js';
import { NamedResponse, namesOf, SUPPORT } from '../iam/index.js';
import { MAX_LISTED_OWNERS, type PolicyImpact } from './sign-in-policy.service.js';

const SECOND_FACTOR = wordField(SECOND_FACTOR_RULES, {
  description: '`required`: two factors, or a passkey; `phishing_resistant`: a passkey.',
  example: 'required',
});

const GRACE_DAYS = integerField({
  min: 0,
  max: 30,
  description:
    'Days in which members may still enter without the second factor, to add one: from the change of the policy, or from their joining.',
  example: 14,
});

const SSO = wordField(SSO_RULES, {
  description: '`required`: members sign in by a connection of the organization.',
  example: 'optional',
});

const OTHER_CONNECTIONS = booleanField({
  description:
    "Whether a sign-in by only a connection of another organization opens this one. A proof of the person's own always does. Default: false; true for organizations from before this default.",
  example: false,
});

const TRUSTED_DEVICES = booleanField({
  description: 'Whether a device that a member trusts stands in for the second factor.',
  example: true,
});

const MAX_AUTH_AGE = integerField({
  min: 300,
  max: 7_776_000,
  description: 'Maximum seconds since members last proved who they are. null for any.',
  example: 43_200,
});

const SESSION_MAX_HOURS = integerField({
  min: 1,
  max: 2_160,
  description: 'Maximum age of a session in hours. null for that of the service.',
  example: 168,
});

const STATIONS = wordField(STATION_RULES, {
  description:
    'Who may sign in at shared stations by number and PIN: `workers`, people without an address; `members`, also members with one. A sign-in at a station is one factor.',
  example: 'off',
});

const PIN_RESET = wordField(PIN_RESET_RULES, {
  description:
    'What the reset of a PIN takes: `second-factor`, a member who has signed in with two factors; `two-people`, two members one after the other.',
  example: 'second-factor',
});

const MEMBER_IDS = listField({
  max: 100,
  itemMax: 26,
  pattern: /^[0-9A-HJKMNP-TV-Z]{26}$/,
  description: 'Ids of members.',
  example: ['01K3V9D7Q8Z4X5N6M7P8R9S0T2'],
});

/** Fields of a policy, in requests and responses. */
class SignInPolicyFields {
  @Input(SECOND_FACTOR)
  secondFactor: SignInPolicy['secondFactor'];
  @Input(GRACE_DAYS)
  graceDays: number;
  @Input(SSO)
  sso: SignInPolicy['sso'];
  @Input(OTHER_CONNECTIONS)
  otherConnections: boolean;
  @Input(TRUSTED_DEVICES)
  trustedDevices: boolean;
  @Input(MAX_AUTH_AGE, { nullable: true })
  maxAuthAgeSeconds: number | null;
  @Input(SESSION_MAX_HOURS, { nullable: true })
  sessionMaxHours: number | null;
  @Input(SUPPORT)
  supportAccess: SignInPolicy['supportAccess'];
  @Input(STATIONS)
  stations: SignInPolicy['stations'];
  @Input(PIN_RESET)
  pinReset: SignInPolicy['pinReset'];
}

export class SignInPolicyResponse extends SignInPolicyFields {
  static from({
    secondFactorSince: _since,
    ...policy
  }: SignInPolicy & Partial<SetSignInPolicy>): SignInPolicyResponse {
    return policy;
  }
}

export class OwnerResponse extends NamedResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  userId: string;
  @Output.email({ nullable: true, example: 'ada@example.com' })
  email: string | null;
}

/** Members who could not enter with a policy. */
export class PolicyImpactResponse {
  @Output.integer({
    min: 0,
    max: MAX_COUNTED,
    description: `Number of active members, counted up to ${MAX_COUNTED}.`,
    example: 12,
  })
  members: number;
  @Output.integer({
    min: 0,
    max: MAX_COUNTED,
    description:
      'Those of them who have no factor that the policy requires, or who have not signed in by a required connection yet.',
    example: 5,
  })
  couldNotEnter: number;
  @Output(objectListField(() => OwnerResponse, MAX_LISTED_OWNERS), {
    description: 'Owners among them.',
  })
  owners: OwnerResponse[];
  @Output.boolean({
    description:
      "Whether the caller's own sign-in satisfies the policy, without its grace days. Else it is not set.",
    example: true,
  })
  callerSatisfies: boolean;

  static from({ members, couldNotEnter, owners, callerSatisfies }: PolicyImpact): PolicyImpactResponse {
    return {
      members,
      couldNotEnter,
      owners: owners.map(({ userId, email, ...person }) => ({ userId, email, ...namesOf(person) })),
      callerSatisfies,
    };
  }
}

/** Members who have a second factor. */
export class SecondFactorsResponse {
  @Output(MEMBER_IDS)
  userIds: string[];
}

/** A policy. Fields that are left out keep their value. */
export class SignInPolicyDto extends PartialType(SignInPolicyFields) {}

/** Members of whom it is asked who has a second factor. */
export class SecondFactorsDto {
  @Input(MEMBER_IDS)
  userIds: string[];
}

/** Query of the impact: the policy in force, with another second factor. */
export class ImpactQuery {
  @Input(SECOND_FACTOR, { optional: true, description: 'Default: that of the policy in force.' })
  secondFactor?: SignInPolicy['secondFactor'];
}
