import { Input, Output, PartialType, toResponse } from '../../platform/api/index.js';
import {
  DELIVERY_ID,
  DESCRIPTION,
  ENABLED,
  ENDPOINT_ID,
  INCLUDE_PERSONAL_DATA,
  ORDERING,
  REASON,
  SECRET,
  SIGNING,
  SINCE,
  STATUS,
  SUBJECT_PREFIX,
  TYPE,
  TYPES,
  URL_FIELD,
} from '../webhook.fields.js';
import type { Endpoint } from './endpoint.repository.js';
import type { ORDERINGS, SIGNINGS } from './endpoint.entity.js';

export class SubscriptionResponse {
  @Output(ENDPOINT_ID)
  id: string;
  @Output(URL_FIELD)
  url: string;
  @Output(TYPES)
  types: string[];
  @Output(DESCRIPTION, { nullable: true })
  description: string | null;
  @Output(SUBJECT_PREFIX, { nullable: true })
  subjectPrefix: string | null;
  @Output(ORDERING)
  ordering: string;
  @Output(SIGNING)
  signing: string;
  @Output(INCLUDE_PERSONAL_DATA)
  includePersonalData: boolean;
  @Output(ENABLED)
  enabled: boolean;
  @Output(STATUS)
  status: string;
  @Output(REASON, { nullable: true })
  reason: string | null;
  @Output.time({ nullable: true, description: 'Time since which it has been failing.' })
  failingSince: string | null;
  @Output.time({ nullable: true, description: 'Time of the first event that is being delivered again.' })
  recoveringSince: string | null;
  @Output.integer({
    nullable: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'Events that this still has to look at.',
    example: 1200,
  })
  recoveryRemaining: number | null;
  @Output.time()
  createdAt: string;

  static from(endpoint: Endpoint): SubscriptionResponse {
    const { status, recoverAfter, recoverUntil } = endpoint;
    return toResponse(SubscriptionResponse, {
      ...endpoint,
      includePersonalData: endpoint.personalData,
      enabled: status !== 'disabled',
      status: endpoint.paused && status !== 'disabled' ? 'paused' : status,
      recoveringSince: recoverAfter === null ? null : endpoint.recoverFrom,
      recoveryRemaining:
        recoverAfter === null || recoverUntil === null
          ? null
          : Math.max(0, Number(recoverUntil) - Number(recoverAfter)),
    });
  }
}

export class CreatedSubscriptionResponse extends SubscriptionResponse {
  @Output(SECRET)
  secret: string;
}

export class RotatedSubscriptionSecretResponse {
  @Output(SECRET)
  secret: string;
  @Output.time({ description: 'Time until which the previous secret signs as well.' })
  previousSignsUntil: string;
}

export class TestSentResponse {
  @Output(DELIVERY_ID)
  deliveryId: string;
}

export class CreateSubscriptionDto {
  @Input(URL_FIELD)
  url: string;

  @Input(TYPES)
  types: string[];

  @Input(DESCRIPTION, { optional: true, nullable: true })
  description?: string | null;

  @Input(SUBJECT_PREFIX, { optional: true, nullable: true })
  subjectPrefix?: string | null;

  @Input(ORDERING, { optional: true })
  ordering?: (typeof ORDERINGS)[number];

  @Input(SIGNING, { optional: true })
  signing?: (typeof SIGNINGS)[number];

  @Input(INCLUDE_PERSONAL_DATA, { optional: true })
  includePersonalData?: boolean;

  @Input(ENABLED, { optional: true })
  enabled?: boolean;
}

export class UpdateSubscriptionDto extends PartialType(CreateSubscriptionDto) {}

export class SendTestDto {
  @Input(TYPE, { optional: true, description: 'Default: the first type of the subscription.' })
  type?: string;
}

export class RecoverDto {
  @Input(SINCE)
  since: string;
}
