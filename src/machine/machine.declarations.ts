import { Tag, textField, ulidField, wordField } from '../platform/api/index.js';
import { StrictBucket } from '../platform/rate-limit/index.js';
import { SERVICE_ACCOUNT_STATUSES } from './accounts/service-account.entity.js';

/** Groups operations under the API tag "Service accounts". */
export const MachinesTag = () =>
  Tag('Service accounts', 'Members of an organization that are programs, and their keys.');

export const LEAKED_KEY_LIMIT = new StrictBucket('leaked-key', 'RATE_HASH');

export const ACCOUNT_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' });
export const ACCOUNT_NAME = textField({ max: 100, example: 'Warehouse export' });
export const DESCRIPTION = textField({ max: 500, example: 'Sends the stock to the carrier each night.' });
export const CONTACT = textField({
  max: 254,
  description: 'Whom to ask about it.',
  example: 'warehouse-team@example.com',
});
export const ACCOUNT_STATUS = wordField(SERVICE_ACCOUNT_STATUSES, {
  description: '`disabled`: its keys and other credentials are refused.',
});
