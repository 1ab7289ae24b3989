import { textField, wordField } from '../../../platform/api/index.js';
import { MAX_SLUG_LENGTH, MIN_SLUG_LENGTH, SLUG_PATTERN } from './slug.js';

export const TENANT_NAME = textField({ max: 200, example: 'Lovelace Logistics' });

export const SLUG = textField({
  min: MIN_SLUG_LENGTH,
  max: MAX_SLUG_LENGTH,
  pattern: SLUG_PATTERN,
  shape: 'lower-case letters and digits, with single hyphens between them',
  description: 'Name of the organization in the address of its sign-in page, `/o/{slug}/sign-in`.',
  example: 'lovelace-logistics',
});

export const TENANT_STATUS = wordField(['active', 'archived']);
