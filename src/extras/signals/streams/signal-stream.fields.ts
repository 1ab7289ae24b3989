import { listField, textField, ulidField, wordField } from '../../../platform/api/index.js';
import { POLL, PUSH, SESSION_REVOKED, STREAM_STATES } from '../signal-types.js';

export const STREAM_ID = ulidField({ description: 'Id of the stream.' });
export const DELIVERY_METHOD = wordField([PUSH, POLL], {
  description: 'RFC 8935: pushed to the receiver. RFC 8936: polled by it.',
  example: POLL,
});
export const ENDPOINT_URL = textField({
  max: 500,
  format: 'uri',
  example: 'https://orders.example.com/signals',
  description: 'Where events are pushed to. The service chooses the address of a stream that is polled.',
});
export const EVENT_TYPES = listField({
  max: 50,
  pattern: /^[\x21-\x7e]+$/,
  example: [SESSION_REVOKED],
  description: 'URIs of the types of events.',
});
export const DESCRIPTION = textField({ max: 200, example: 'orders, replica 1' });
export const STREAM_STATUS = wordField(STREAM_STATES, {
  description: 'A paused stream holds its events; a disabled one has none.',
});
export const STATUS_REASON = textField({ max: 200, example: 'Maintenance until noon.' });
