import {
  booleanField,
  listField,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../platform/api/index.js';
import { DELIVERY_STATES } from './deliveries/delivery.entity.js';
import { DISABLED_REASONS, ORDERINGS, SIGNINGS } from './endpoints/endpoint.entity.js';
import { FILTER_SHAPE } from './matching.js';

export const ENDPOINT_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' });
export const DELIVERY_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T8' });
export const EVENT_ID = ulidField({
  description: 'Also in the header `webhook-id`, the same on every attempt.',
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T0',
});

export const URL_FIELD = textField({
  max: 500,
  pattern: /^https?:\/\/\S{1,490}$/,
  shape: 'an https address',
  description: 'https, on port 443 or from 1024 on, at a public address.',
  example: 'https://hooks.example.com/gatehouse',
});

export const TYPES = listField({
  min: 1,
  max: 50,
  itemMax: 100,
  pattern: FILTER_SHAPE,
  message: 'must be a type, or the beginning of types such as iam.member.*',
  example: ['iam.member.*'],
  description: 'Types of events, each whole or as a beginning that ends with `.*`; `*` stands for all.',
});

export const TYPE = textField({
  max: 100,
  pattern: /^[a-z-]+\.[a-z-]+\.[a-z-]+$/,
  shape: 'the name of a type',
  example: 'iam.member.joined',
});

export const DESCRIPTION = textField({ max: 200, example: 'Ticket system' });

export const SUBJECT_PREFIX = textField({
  max: 200,
  pattern: /^[a-z][a-z-]*\/\S{0,199}$/,
  shape: 'the beginning of subjects, such as iam/members/',
  description: 'Delivers only events whose subject begins so.',
  example: 'iam/members/',
});

export const ORDERING = wordField(ORDERINGS, {
  description:
    '`none`: in parallel, without an order. `subject`: an event waits for earlier ones of its subject. `endpoint`: for all earlier ones.',
});

export const SIGNING = wordField(SIGNINGS, {
  description: '`hmac`: by the secret (`v1`). `ed25519`: by the key of the service (`v1a`).',
});

export const INCLUDE_PERSONAL_DATA = booleanField({
  description: 'Adds `data.person` with address and name, as they are at the time of delivery.',
});

export const ENABLED = booleanField({ example: true, description: 'Whether events are delivered.' });

export const STATUS = wordField(['active', 'failing', 'disabled', 'paused'] as const, {
  description:
    '`failing`: after 20 failures in a row; one probe a minute. `paused`: the organization is archived.',
});

export const REASON = wordField(DISABLED_REASONS, { description: 'Why it is disabled.' });

export const STATE = wordField(DELIVERY_STATES, {
  description:
    '`waiting`: for an earlier delivery of the same order. `claimed`: being sent. `dead`: given up; it can be delivered again.',
});

export const SECRET = textField({
  max: 100,
  pattern: '^whsec_[A-Za-z0-9+/=]{44}$',
  description: 'Verifies signatures. Cannot be read again.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
});

export const SINCE = timeField({
  description: 'Events from this time on: at most 30 days ago, and not in the future.',
});
