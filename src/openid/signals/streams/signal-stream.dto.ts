import {
  Input,
  listField,
  objectField,
  textField,
  ulidField,
  wordField,
} from '../../../platform/api/index.js';
import { POLL, PUSH, SESSION_REVOKED, STREAM_STATES, type StreamState } from '../signal-types.js';

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

class DeliveryDto {
  @Input(DELIVERY_METHOD)
  method: typeof PUSH | typeof POLL;

  @Input(ENDPOINT_URL, { optional: true })
  endpoint_url?: string;

  @Input(
    textField({
      max: 1_000,
      example: 'Bearer 3f1c-example',
      description: 'Authorization header of each push. Stored encrypted, and not returned.',
    }),
    { optional: true },
  )
  authorization_header?: string;
}

export class CreateStreamDto {
  @Input(EVENT_TYPES, { optional: true })
  events_requested?: string[];

  @Input(objectField(() => DeliveryDto), { optional: true })
  delivery?: DeliveryDto;

  @Input(DESCRIPTION, { optional: true })
  description?: string;
}

export class UpdateStreamDto extends CreateStreamDto {
  @Input(STREAM_ID)
  stream_id: string;
}

export class StreamQueryDto {
  @Input(STREAM_ID, { optional: true })
  stream_id?: string;
}

export class NamedStreamQueryDto {
  @Input(STREAM_ID)
  stream_id: string;
}

export class UpdateStatusDto {
  @Input(STREAM_ID)
  stream_id: string;

  @Input(STREAM_STATUS)
  status: StreamState;

  @Input(STATUS_REASON, { optional: true })
  reason?: string;
}

export class VerifyDto {
  @Input(STREAM_ID)
  stream_id: string;

  @Input(
    textField({ max: 200, example: 'VGhpcyBpcyBhbiBleGFtcGxl', description: 'Returned in the event.' }),
    {
      optional: true,
    },
  )
  state?: string;
}
