import { PIN_RESET_RULES, SECOND_FACTOR_RULES, SSO_RULES, STATION_RULES } from '../kernel/index.js';
import { booleanField, integerField, listField, wordField } from '../platform/api/index.js';

export const SECOND_FACTOR = wordField(SECOND_FACTOR_RULES, {
  description: '`required`: two factors, or a passkey; `phishing_resistant`: a passkey.',
  example: 'required',
});

export const GRACE_DAYS = integerField({
  min: 0,
  max: 30,
  description:
    'Days in which members may still enter without the second factor, to add one: from the change of the policy, or from their joining.',
  example: 14,
});

export const SSO = wordField(SSO_RULES, {
  description: '`required`: members sign in by a connection of the organization.',
  example: 'optional',
});

export const OTHER_CONNECTIONS = booleanField({
  description:
    "Whether a sign-in by only a connection of another organization opens this one. A proof of the person's own always does. Default: false; true for organizations from before this default.",
  example: false,
});

export const TRUSTED_DEVICES = booleanField({
  description: 'Whether a device that a member trusts stands in for the second factor.',
  example: true,
});

export const MAX_AUTH_AGE = integerField({
  min: 300,
  max: 7_776_000,
  description: 'Maximum seconds since members last proved who they are. null for any.',
  example: 43_200,
});

export const SESSION_MAX_HOURS = integerField({
  min: 1,
  max: 2_160,
  description: 'Maximum age of a session in hours. null for that of the service.',
  example: 168,
});

export const STATIONS = wordField(STATION_RULES, {
  description:
    'Who may sign in at shared stations by number and PIN: `workers`, people without an address; `members`, also members with one. A sign-in at a station is one factor.',
  example: 'off',
});

export const PIN_RESET = wordField(PIN_RESET_RULES, {
  description:
    'What the reset of a PIN takes: `second-factor`, a member who has signed in with two factors; `two-people`, two members one after the other.',
  example: 'second-factor',
});

export const MEMBER_IDS = listField({
  max: 100,
  itemMax: 26,
  pattern: /^[0-9A-HJKMNP-TV-Z]{26}$/,
  description: 'Ids of members.',
  example: ['01K3V9D7Q8Z4X5N6M7P8R9S0T2'],
});
