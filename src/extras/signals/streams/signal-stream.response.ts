import { integerField, objectField, Output, textField } from '../../../platform/api/index.js';
import { POLL, PUSH, SIGNAL_TYPES, type StreamState } from '../signal-types.js';
import {
  DELIVERY_METHOD,
  DESCRIPTION,
  ENDPOINT_URL,
  EVENT_TYPES,
  STATUS_REASON,
  STREAM_ID,
  STREAM_STATUS,
} from './signal-stream.fields.js';
import { INACTIVITY_SECONDS, type SignalStream } from './signal-stream.repository.js';

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
  @Output(textField({ max: 500, format: 'uri', example: 'https://login.example.com' }))
  iss: string;
  @Output(textField({ max: 64, example: 'orders', description: 'Client id of the receiver.' }))
  aud: string;
  @Output(objectField(() => DeliveryResponse))
  delivery: DeliveryResponse;
  @Output(EVENT_TYPES, { description: 'Types that the service can send.' })
  events_supported: string[];
  @Output(EVENT_TYPES, { description: 'Types that the receiver asked for.' })
  events_requested: string[];
  @Output(EVENT_TYPES, { description: 'Types that the stream has.' })
  events_delivered: string[];
  @Output(integerField({ min: 0, max: 86_400, example: MIN_VERIFICATION_SECONDS, description: 'Seconds.' }))
  min_verification_interval: number;
  @Output(
    integerField({
      min: 0,
      max: 864_000,
      example: INACTIVITY_SECONDS,
      description: 'Seconds without a poll after which the stream is deleted.',
    }),
    { required: false },
  )
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
