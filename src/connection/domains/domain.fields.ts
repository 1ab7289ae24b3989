import { textField, timeField, ulidField, wordField } from '../../platform/api/index.js';

export const DOMAIN_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0D1' });

export const DOMAIN_NAME = textField({
  max: 253,
  example: 'example.com',
  description: 'No public suffix, IP address, or provider of free mail. Kept as A-label in lower case.',
});

export const DOMAIN_STATUS = wordField(['pending', 'verified', 'lapsed'] as const, {
  description: '`lapsed`: the record was missing for seven days; the domain proves nothing any more.',
});

export const VERIFIED_AT = timeField({ description: 'Time of the verification; null before the first.' });
export const CHECKED_AT = timeField({
  description: 'Time of the last check; verified domains are checked daily.',
});
