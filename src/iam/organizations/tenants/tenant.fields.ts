import { textField, wordField } from '../../../platform/api/index.js';

export const TENANT_NAME = textField({ max: 200, example: 'Lovelace Logistics' });

export const TENANT_STATUS = wordField(['active', 'archived']);
