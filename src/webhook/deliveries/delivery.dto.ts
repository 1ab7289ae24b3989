import {
  Input,
  integerField,
  objectField,
  objectListField,
  Output,
  textField,
  toResponse,
} from '../../platform/api/index.js';
import { EventResponse } from '../feed/event.dto.js';
import { DELIVERY_ID, ENDPOINT_ID, EVENT_ID, STATE, TYPE } from '../webhook.fields.js';
import type { Attempt, Delivery } from './delivery.repository.js';
import type { DeliveryDetails } from './delivery.service.js';

const STATUS_CODE = integerField({
  min: 100,
  max: 999,
  example: 200,
  description: 'Status of the response.',
});
const ERROR = textField({
  max: 50,
  pattern: '^[a-z-]+$',
  description: 'Why it failed, such as `timeout`, `tls-error`, `redirect` or `status`.',
  example: 'status',
});

export class AttemptResponse {
  @Output.time()
  at: string;
  @Output(STATUS_CODE, { nullable: true })
  status: number | null;
  @Output.integer({ min: 0, max: 2_147_483_647, example: 42, description: 'Milliseconds that it took.' })
  durationMs: number;
  @Output(ERROR, { nullable: true })
  error: string | null;
  @Output.text({
    nullable: true,
    max: 1_024,
    example: 'ok',
    description: 'First KiB of the response.',
    pattern: '',
  })
  excerpt: string | null;

  static from({ at, status, ms, error, excerpt }: Attempt): AttemptResponse {
    return { at: at.toISOString(), status, durationMs: ms, error, excerpt };
  }
}

export class DeliveryResponse {
  @Output(DELIVERY_ID)
  id: string;
  @Output(ENDPOINT_ID)
  subscriptionId: string;
  @Output(EVENT_ID)
  eventId: string;
  @Output(TYPE)
  type: string;
  @Output.boolean({ description: 'Whether it is a test, and no event.' })
  test: boolean;
  @Output(STATE)
  state: string;
  @Output.integer({ min: 0, max: 1_000, example: 1, description: 'Attempts so far.' })
  attempts: number;
  @Output.time({ nullable: true, description: 'Time of the next attempt.' })
  nextAttemptAt: string | null;
  @Output(STATUS_CODE, { nullable: true })
  lastStatus: number | null;
  @Output(ERROR, { nullable: true })
  lastError: string | null;
  @Output.time()
  createdAt: string;
  @Output.time({ nullable: true })
  finishedAt: string | null;

  static from(delivery: Delivery): DeliveryResponse {
    return toResponse(DeliveryResponse, {
      ...delivery,
      subscriptionId: delivery.endpointId,
      test: delivery.isTest,
      nextAttemptAt: delivery.state === 'due' ? delivery.dueAt : null,
    });
  }
}

export class DeliveryDetailsResponse extends DeliveryResponse {
  @Output(objectListField(() => AttemptResponse, 100))
  attemptList: AttemptResponse[];
  @Output(objectField(() => EventResponse), {
    nullable: true,
    description:
      'Body of the requests, without personal data; null once the event has expired, and for a caller who may not read its type.',
  })
  event: EventResponse | null;

  static ofDetails({ delivery, attempts, event }: DeliveryDetails): DeliveryDetailsResponse {
    const attemptList = attempts.map((attempt) => AttemptResponse.from(attempt));
    return { ...DeliveryResponse.from(delivery), attemptList, event };
  }
}

/** Query of a list of deliveries, in addition to the page's. */
export class DeliveriesQuery {
  @Input(STATE, { optional: true })
  state?: string;
}
