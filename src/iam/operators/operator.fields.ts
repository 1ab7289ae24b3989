import { OPERATOR_ROLES } from '../../kernel/index.js';
import { wordField } from '../../platform/api/index.js';

export const OPERATOR_ROLE = wordField(OPERATOR_ROLES, {
  description: '`support` reads, ends sessions and sends mails; `admin` does everything.',
});
