import { Tag } from '../../platform/api/index.js';

/** Groups operations under the API tag "Audit trail". */
export const AuditTag = () =>
  Tag('Audit trail', 'What was done, by whom, to what. Append-only, with ids instead of personal data.');
