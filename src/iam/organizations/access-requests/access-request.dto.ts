import {
  Input,
  integerField,
  Output,
  textField,
  wordField,
  toResponse,
} from '../../../platform/api/index.js';
import { THING } from '../organization.declarations.js';
import { ROLE_KEY_FIELD } from '../roles/role.fields.js';
import { REQUEST_STATUSES, type RequestStatus } from './access-request.entity.js';
import type { AccessRequest } from './access-request.repository.js';

/** A month. */
const MAX_HOURS = 720;

const ON = { description: 'The thing; without it, the whole organization.' } as const;
const HOURS = integerField({
  min: 1,
  max: MAX_HOURS,
  example: 8,
  description: 'For how long, from the approval on.',
});
const REASON = textField({ max: 300, example: 'Ticket 4711', description: 'Why, for people who decide.' });
const STATUS = wordField(REQUEST_STATUSES, { description: 'A request waits for seven days.' });

export class CreateAccessRequestDto {
  @Input(ROLE_KEY_FIELD, { description: 'Key of the role.', example: 'member' })
  role: string;

  @Input(THING, { ...ON, optional: true })
  on?: string;

  @Input(HOURS)
  hours: number;

  @Input(REASON)
  reason: string;
}

/** Query of the list of requests, in addition to the page's. */
export class AccessRequestsQuery {
  @Input(STATUS, { optional: true })
  status?: RequestStatus;
}

export class AccessRequestPolicyDto {
  @Input.integer({
    min: 0,
    max: MAX_HOURS,
    example: 24,
    description: 'Longest access for which members may ask, in hours. 0: none. Default: 24.',
  })
  maxHours: number;
}

export class AccessRequestPolicyResponse {
  @Output.integer({ min: 0, max: MAX_HOURS, example: 24, description: 'In hours; 0: no requests.' })
  maxHours: number;
}

/** A request of a member for access. */
export class AccessRequestResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  id: string;

  @Output.ulid({ description: 'The requesting member.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  userId: string;

  @Output(ROLE_KEY_FIELD)
  role: string;

  @Output(THING, { ...ON, nullable: true })
  on: string | null;

  @Output(HOURS)
  hours: number;

  @Output(REASON)
  reason: string;

  @Output(STATUS)
  status: RequestStatus;

  @Output.time()
  createdAt: string;

  @Output.time({ description: 'When it expires, if it is not decided.' })
  expiresAt: string;

  @Output.time({ nullable: true, description: 'When it was decided.' })
  decidedAt: string | null;

  @Output.ulid({ nullable: true, description: 'Who decided it.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  decidedBy: string | null;

  @Output.time({ nullable: true, description: 'When the access ends, if it was approved.' })
  until: string | null;

  static from(request: AccessRequest): AccessRequestResponse {
    return toResponse(AccessRequestResponse, {
      ...request,
      on: request.thing && `gatehouse:///${request.thing}`,
    });
  }
}
