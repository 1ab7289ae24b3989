import { SCOPE_SHAPE } from '../../ability/index.js';
import { listField, textField, timeField, ulidField, wordField } from '../../platform/api/index.js';
import { KEY_END_REASONS } from './ended-key.entity.js';

export const KEY_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' });
export const KEY_NAME = textField({ max: 100, example: 'Nightly export' });
export const KEY_SCOPES = listField({
  min: 1,
  max: 200,
  pattern: SCOPE_SHAPE,
  message: 'must have the shape <module>:<entity>:<action>',
  description: 'Restricts the roles of the owner; null for all that they give.',
  example: ['iam:member:read'],
});
export const NETWORKS = listField({
  max: 20,
  itemMax: 50,
  pattern: /^[0-9a-fA-F.:]{2,45}(?:\/\d{1,3})?$/,
  message: 'must be a network such as 203.0.113.0/24',
  description: 'Networks (CIDR) from which it is accepted; empty for any.',
  example: ['203.0.113.0/24'],
});
export const EXPIRES_AT = timeField({
  description: 'When it ends. By default after 90 days; null for never.',
});
export const KEY = textField({
  max: 100,
  pattern: '^gh_(?:sa|me)_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$',
  description: 'The key. Cannot be read again.',
  example: 'gh_sa_4Xq0Zt81LM_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u_0000aB',
});
export const HINT = textField({
  max: 30,
  description: 'Beginning of the key, by which its holders recognize it.',
  example: 'gh_sa_4Xq0Zt81LM',
});

export const KEY_END_REASON = wordField(KEY_END_REASONS, {
  description:
    '`revoked`: by `endedBy`. `operator`: by an operator of the service. `leaked`: reported as found in public.',
});

const KEY_REFUSALS = ['second_factor', 'single_sign_on'] as const;
export type KeyRefusal = (typeof KEY_REFUSALS)[number];
export const REFUSED_FOR = wordField(KEY_REFUSALS, {
  description:
    'What the organization asks for now and the sign-in that made the key had not; it refuses the key. Make a new one. Null if it accepts it.',
});
