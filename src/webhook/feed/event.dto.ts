import {
  booleanField,
  Input,
  integerField,
  objectListField,
  Output,
  textField,
  timeField,
  ulidField,
} from '../../platform/api/index.js';
import { EVENT_ID, TYPE } from '../webhook.fields.js';

const OBJECT = { schema: { type: 'object' as const, additionalProperties: true } };
const SEQUENCE = integerField({
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  description: 'Position in the events of the organization.',
  example: 42,
});

export class EventTypeResponse {
  @Output(TYPE)
  type: string;
  @Output(textField({ max: 200, example: 'A person became a member.' }))
  description: string;
  @Output(OBJECT, { description: 'JSON Schema of the body.', example: { type: 'object' } })
  schema: object;
  @Output(OBJECT, { description: 'Example of the body.', example: { type: 'iam.member.joined' } })
  example: object;
}

export class EventTypesResponse {
  @Output(objectListField(() => EventTypeResponse, 1_000))
  items: EventTypeResponse[];
}

export class EventResponse {
  @Output(TYPE)
  type: string;
  @Output(timeField())
  timestamp: string;
  @Output(EVENT_ID)
  id: string;
  @Output(SEQUENCE)
  sequence: number;
  @Output(ulidField({ description: 'The organization; null for the platform.' }), { nullable: true })
  tenantId: string | null;
  @Output(
    textField({
      max: 200,
      pattern: '^[a-z-]+/[a-z-]+/\\S+$',
      description: 'What it happened to, as <module>/<collection>/<id>.',
      example: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T4',
    }),
  )
  subject: string;
  @Output(ulidField({ description: 'Person who caused it; null if it was the service.' }), { nullable: true })
  actor: string | null;
  @Output(OBJECT, {
    description: 'As the schema of the type says.',
    example: { userId: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' },
  })
  data: object;
}

export class EventPageResponse {
  @Output(objectListField(() => EventResponse, 100))
  items: EventResponse[];
  @Output(
    textField({
      max: 30,
      pattern: '^[\\w-]*$',
      description: 'Continues here, also if there is nothing more yet.',
      example: 'NDI',
    }),
  )
  nextCursor: string;
  @Output(booleanField({ description: 'Whether the next page can be read at once.' }))
  more: boolean;
}

/** Query of the feed. */
export class EventsQuery {
  @Input(
    textField({
      max: 30,
      pattern: /^[\w-]{1,30}$/,
      shape: 'a nextCursor of the feed',
      description: 'nextCursor of the previous page. Without it, the feed begins 30 days back.',
      example: 'NDI',
    }),
    { optional: true },
  )
  cursor?: string;

  @Input(
    textField({
      max: 1_000,
      pattern: /^[a-z.*-]+(?:,[a-z.*-]+)*$/,
      shape: 'types, or beginnings such as iam.member.*, separated by commas',
      description:
        'Lists only these types: names, or beginnings such as `iam.member.*`, separated by commas.',
      example: 'iam.member.*',
    }),
    { optional: true },
  )
  types?: string;

  @Input(
    textField({
      max: 3,
      pattern: /^(?:[1-9]\d?|100)$/,
      shape: 'a number from 1 to 100',
      example: '50',
      description: 'Maximum number of items.',
    }),
    { optional: true },
  )
  limit?: string;
}
