import {
  Input,
  listField,
  objectField,
  Output,
  textField,
  ulidField,
  wordField,
} from '../../../platform/api/index.js';
import {
  POLL,
  PUSH,
  SESSION_REVOKED,
  SIGNAL_TYPES,
  STREAM_STATES,
  type StreamState,
} from '../signal-types.js';
import { INACTIVITY_SECONDS, type SignalStream } from './signal-stream.repository.js';

const STREAM_ID = ulidField({ description: 'Id of the stream.' });
const DELIVERY_METHOD = wordField([PUSH, POLL], {
  description: 'RFC 8935: pushed to the receiver. RFC 8936: polled by it.',
  example: POLL,
});
const ENDPOINT_URL = textField({
  max: 500,
  format: 'uri',
  example: 'https://orders.example.com/signals',
  description: 'Where events are pushed to. The service chooses the address of a stream that is polled.',
});
const EVENT_TYPES = listField({
  max: 50,
  pattern: /^[\x21-\x7e]+$/,
  example: [SESSION_REVOKED],
  description: 'URIs of the types of events.',
});
const DESCRIPTION = textField({ max: 200, example: 'orders, replica 1' });
const STREAM_STATUS = wordField(STREAM_STATES, {
  description: 'A paused stream holds its events; a disabled one has none.',
});
const STATUS_REASON = textField({ max: 200, example: 'Maintenance until noon.' });

/** Seconds between two verifications of a stream. */
export const MIN_VERIFICATION_SECONDS = 10;

class DeliveryResponse {
  @Output(DELIVERY_METHOD)
  method: string;
  @Output(ENDPOINT_URL)
  endpoint_url: string;
}

/** Configuration of a stream (SSF 1.0 section 8.1.1). */
export class StreamResponse {
  @Output(STREAM_ID)
  stream_id: string;
  @Output.text({ max: 500, format: 'uri', example: 'https://login.example.com' })
  iss: string;
  @Output.text({ max: 64, example: 'orders', description: 'Client id of the receiver.' })
  aud: string;
  @Output(objectField(() => DeliveryResponse))
  delivery: DeliveryResponse;
  @Output(EVENT_TYPES, { description: 'Types that the service can send.' })
  events_supported: string[];
  @Output(EVENT_TYPES, { description: 'Types that the receiver asked for.' })
  events_requested: string[];
  @Output(EVENT_TYPES, { description: 'Types that the stream has.' })
  events_delivered: string[];
  @Output.integer({ min: 0, max: 86_400, example: MIN_VERIFICATION_SECONDS, description: 'Seconds.' })
  min_verification_interval: number;
  @Output.integer({
    required: false,
    min: 0,
    max: 864_000,
    example: INACTIVITY_SECONDS,
    description: 'Seconds without a poll after which the stream is deleted.',
  })
  inactivity_timeout?: number;
  @Output(DESCRIPTION, { required: false })
  description?: string;

  /** @param issuer address of the service */
  static from(stream: SignalStream, issuer: string): StreamResponse {
    const { id, clientId, method, endpointUrl, description } = stream;
    const isPolled = method === 'poll';
    return {
      stream_id: id,
      iss: issuer,
      aud: clientId,
      delivery: {
        method: isPolled ? POLL : PUSH,
        endpoint_url: endpointUrl ?? `${issuer}/api/v1/signals/streams/${id}/events`,
      },
      events_supported: [...SIGNAL_TYPES],
      events_requested: [...stream.eventsRequested],
      events_delivered: [...stream.eventsDelivered],
      min_verification_interval: MIN_VERIFICATION_SECONDS,
      ...(isPolled && { inactivity_timeout: INACTIVITY_SECONDS }),
      ...(description !== null && { description }),
    };
  }
}

/** Status of a stream (SSF 1.0 section 8.1.2). */
export class StreamStatusResponse {
  @Output(STREAM_ID)
  stream_id: string;
  @Output(STREAM_STATUS)
  status: StreamState;
  @Output(STATUS_REASON, { required: false })
  reason?: string;

  static from({ id, status, statusReason }: SignalStream): StreamStatusResponse {
    return { stream_id: id, status, ...(statusReason !== null && { reason: statusReason }) };
  }
}

class DeliveryDto {
  @Input(DELIVERY_METHOD)
  method: typeof PUSH | typeof POLL;

  @Input(ENDPOINT_URL, { optional: true })
  endpoint_url?: string;

  @Input.text({
    optional: true,
    max: 1_000,
    example: 'Bearer 3f1c-example',
    description: 'Authorization header of each push. Stored encrypted, and not returned.',
  })
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

  @Input.text({
    optional: true,
    max: 200,
    example: 'VGhpcyBpcyBhbiBleGFtcGxl',
    description: 'Returned in the event.',
  })
  state?: string;
}
