import { integerField } from '../../platform/api/index.js';

export const MAX_LIMIT = 2_147_483_647;
export const MAILS_PER_DAY = integerField({
  min: 0,
  max: MAX_LIMIT,
  example: 2_000,
  description: 'Mails a day to addresses outside its verified domains: invitations and set-up links.',
});
export const OPEN_INVITATIONS = integerField({
  min: 0,
  max: MAX_LIMIT,
  example: 5_000,
  description: 'Maximum number of open invitations.',
});
