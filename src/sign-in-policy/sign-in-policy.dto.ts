import { SUPPORT } from '../iam/index.js';
import type { SignInPolicy } from '../kernel/index.js';
import { Input } from '../platform/api/index.js';
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

/** A policy. Fields that are left out are those of the policy in force. */
export class SignInPolicyDto {
  @Input(SECOND_FACTOR, { optional: true })
  secondFactor?: SignInPolicy['secondFactor'];
  @Input(GRACE_DAYS, { optional: true })
  graceDays?: number;
  @Input(SSO, { optional: true })
  sso?: SignInPolicy['sso'];
  @Input(OTHER_CONNECTIONS, { optional: true })
  otherConnections?: boolean;
  @Input(TRUSTED_DEVICES, { optional: true })
  trustedDevices?: boolean;
  @Input(MAX_AUTH_AGE, { optional: true, nullable: true })
  maxAuthAgeSeconds?: number | null;
  @Input(SESSION_MAX_HOURS, { optional: true, nullable: true })
  sessionMaxHours?: number | null;
  @Input(SUPPORT, { optional: true })
  supportAccess?: SignInPolicy['supportAccess'];
  @Input(STATIONS, { optional: true })
  stations?: SignInPolicy['stations'];
  @Input(PIN_RESET, { optional: true })
  pinReset?: SignInPolicy['pinReset'];
}

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
