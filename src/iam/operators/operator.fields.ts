import { OPERATOR_ROLES } from '../../kernel/index.js';
import { SCOPE_SHAPE } from '../../ability/index.js';
import { listField, wordField } from '../../platform/api/index.js';

export const OPERATOR_ROLE = wordField(OPERATOR_ROLES, {
  description: '`support` reads, ends sessions and sends mails; `admin` does everything.',
});

export const OPERATOR_SCOPES = listField({
  min: 1,
  max: 200,
  pattern: SCOPE_SHAPE,
  message: 'must have the shape <module>:<entity>:<action>',
  description: 'Restricts the role to these permissions; null for all that it gives.',
  example: ['platform:person:read', 'platform:person:end-sessions'],
});
