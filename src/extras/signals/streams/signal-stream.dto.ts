import { Input, objectField, textField } from '../../../platform/api/index.js';
import type { POLL, PUSH, StreamState } from '../signal-types.js';
import {
  DELIVERY_METHOD,
  DESCRIPTION,
  ENDPOINT_URL,
  EVENT_TYPES,
  STATUS_REASON,
  STREAM_ID,
  STREAM_STATUS,
} from './signal-stream.fields.js';

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
