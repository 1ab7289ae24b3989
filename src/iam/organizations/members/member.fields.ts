import { timeField } from '../../../platform/api/index.js';

export const MEMBERSHIP_END = timeField({ description: 'When the membership ends. null: never.' });
