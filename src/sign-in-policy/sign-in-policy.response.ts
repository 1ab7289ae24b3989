import { NamedResponse, namesOf, SUPPORT } from '../iam/index.js';
import type { SignInPolicy } from '../kernel/index.js';
import {
  booleanField,
  emailField,
  integerField,
  MAX_COUNTED,
  objectListField,
  Output,
  ulidField,
} from '../platform/api/index.js';
import {
  GRACE_DAYS,
  MAX_AUTH_AGE,
  MEMBER_IDS,
  OTHER_CONNECTIONS,
  PIN_RESET,
  SECOND_FACTOR,
  SESSION_MAX_HOURS,
  SSO,
  STATIONS,
  TRUSTED_DEVICES,
} from './sign-in-policy.fields.js';
import { MAX_LISTED_OWNERS, type PolicyImpact } from './sign-in-policy.service.js';

export class SignInPolicyResponse {
  @Output(SECOND_FACTOR)
  secondFactor: string;
  @Output(GRACE_DAYS)
  graceDays: number;
  @Output(SSO)
  sso: string;
  @Output(OTHER_CONNECTIONS)
  otherConnections: boolean;
  @Output(TRUSTED_DEVICES)
  trustedDevices: boolean;
  @Output(MAX_AUTH_AGE, { nullable: true })
  maxAuthAgeSeconds: number | null;
  @Output(SESSION_MAX_HOURS, { nullable: true })
  sessionMaxHours: number | null;
  @Output(SUPPORT)
  supportAccess: string;
  @Output(STATIONS)
  stations: string;
  @Output(PIN_RESET)
  pinReset: string;

  static from(policy: SignInPolicy): SignInPolicyResponse {
    const {
      secondFactor,
      graceDays,
      sso,
      otherConnections,
      trustedDevices,
      maxAuthAgeSeconds,
      sessionMaxHours,
      supportAccess,
      stations,
      pinReset,
    } = policy;
    return {
      secondFactor,
      graceDays,
      sso,
      otherConnections,
      trustedDevices,
      maxAuthAgeSeconds,
      sessionMaxHours,
      supportAccess,
      stations,
      pinReset,
    };
  }
}

export class OwnerResponse extends NamedResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }))
  userId: string;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
}

/** Members who could not enter with a policy. */
export class PolicyImpactResponse {
  @Output(
    integerField({
      min: 0,
      max: MAX_COUNTED,
      description: `Number of active members, counted up to ${MAX_COUNTED}.`,
      example: 12,
    }),
  )
  members: number;
  @Output(
    integerField({
      min: 0,
      max: MAX_COUNTED,
      description:
        'Those of them who have no factor that the policy requires, or who have not signed in by a required connection yet.',
      example: 5,
    }),
  )
  couldNotEnter: number;
  @Output(objectListField(() => OwnerResponse, MAX_LISTED_OWNERS), {
    description: 'Owners among them.',
  })
  owners: OwnerResponse[];
  @Output(
    booleanField({
      description:
        "Whether the caller's own sign-in satisfies the policy, without its grace days. Else it is not set.",
      example: true,
    }),
  )
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
