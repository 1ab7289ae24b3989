import {
  integerField,
  listField,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../platform/api/index.js';
import { STATION_STATUSES } from './stations/station.entity.js';

export const NUMBER_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;
export const WORKER_NUMBER = textField({
  max: 64,
  pattern: NUMBER_PATTERN,
  shape: 'letters, digits and any of . _ -',
  description: 'Number of the person in the organization, which is unique in it without regard to case.',
  example: '4711',
});
export const WORKER_STATUS = wordField(['active', 'suspended'], {
  description: '`suspended`: without access to the organization.',
});
export const UNTIL = timeField({
  description: 'When sign-ins at stations end, as of people for a season; null for never.',
});
export const PIN = textField({
  min: 6,
  max: 12,
  pattern: /^\d{6,12}$/,
  shape: 'digits',
  example: '705318',
  password: true,
});
export const BADGE = textField({
  max: 100,
  pattern: /^gh_bd_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/,
  shape: 'the text of a badge',
  description: 'Text of the badge, for its QR code. An identifier, and no proof of who shows it.',
  example: 'gh_bd_4Xq0Zt81LM_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u_0000aB',
});

export const STATION_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T8' });
export const STATION_NAME = textField({ max: 100, example: 'Gate 3, scanner 2' });
export const PLACE = textField({ max: 100, example: 'Hall B' });
export const STATION_STATUS = wordField(STATION_STATUSES, {
  description:
    '`pending`: no device has registered; `locked`: too many wrong PINs, until an administrator activates it.',
});
export const IDLE_SECONDS = integerField({
  min: 60,
  max: 3_600,
  description: 'Seconds without a refresh after which a session has ended. Default: 300.',
  example: 300,
});
export const SHIFT_SECONDS = integerField({
  min: 300,
  max: 57_600,
  description: 'Seconds after which a session has ended whatever its use. Default: 43200.',
  example: 43_200,
});
export const STATION_NETWORKS = listField({
  max: 20,
  itemMax: 50,
  pattern: /^[0-9a-fA-F.:]{2,45}(?:\/\d{1,3})?$/,
  message: 'must be a network such as 203.0.113.0/24',
  description: 'Networks (CIDR) from which the station is accepted; empty for any.',
  example: ['203.0.113.0/24'],
});
export const REGISTRATION_CODE = textField({
  max: 20,
  description: 'Code by which the device registers: once, within ten minutes.',
  example: '7KQ2-M9XD-4RTA',
});
