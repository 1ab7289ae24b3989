import { Input, PartialType } from '../../../platform/api/index.js';
import {
  DESCRIPTION,
  ENABLED,
  INCLUDE_PERSONAL_DATA,
  ORDERING,
  SIGNING,
  SINCE,
  SUBJECT_PREFIX,
  TYPE,
  TYPES,
  URL_FIELD,
} from '../../webhook.fields.js';
import type { ORDERINGS, SIGNINGS } from '../endpoint.entity.js';

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
