import { SUPPORT_ACCESS } from '../../../kernel/index.js';
import { wordField } from '../../../platform/api/index.js';

export const SUPPORT = wordField(SUPPORT_ACCESS, {
  description:
    'Whether an operator may act as a member: `on_request`, after an owner has let support in by `support-access`; `always`, without that.',
  example: 'never',
});
