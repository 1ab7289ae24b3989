import { booleanField, Input, integerField, Output } from '../../platform/api/index.js';
import type { KeyPolicy } from './key-policy.repository.js';

const PERSONAL_KEYS = booleanField({
  description: 'Whether members may have keys of their own. `false` also revokes those that exist.',
  example: true,
});
const MAX_LIFETIME = integerField({
  min: 1,
  max: 3_650,
  description:
    'Longest lifetime of a new key or client secret in days; each then has an expiry. null for any.',
  example: 365,
});

/** A policy. Fields that are left out keep their value. */
export class KeyPolicyDto {
  @Input(PERSONAL_KEYS, { optional: true })
  personalKeys?: boolean;
  @Input(MAX_LIFETIME, { optional: true, nullable: true })
  maxLifetimeDays?: number | null;
}

export class KeyPolicyResponse {
  @Output(PERSONAL_KEYS)
  personalKeys: boolean;
  @Output(MAX_LIFETIME, { nullable: true })
  maxLifetimeDays: number | null;

  static from({ personalKeys, maxLifetimeDays }: KeyPolicy): KeyPolicyResponse {
    return { personalKeys, maxLifetimeDays };
  }
}
