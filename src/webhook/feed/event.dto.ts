import { Input, integerField, objectListField, Output } from '../../platform/api/index.js';
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
  @Output.text({ max: 200, example: 'A person became a member.' })
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
  @Output.time()
  timestamp: string;
  @Output(EVENT_ID)
  id: string;
  @Output(SEQUENCE)
  sequence: number;
  @Output.ulid({ nullable: true, description: 'The organization; null for the platform.' })
  tenantId: string | null;
  @Output.text({
    max: 200,
    pattern: '^[a-z-]+/[a-z-]+/\\S+$',
    description: 'What it happened to, as <module>/<collection>/<id>.',
    example: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  })
  subject: string;
  @Output.ulid({ nullable: true, description: 'Person who caused it; null if it was the service.' })
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
  @Output.text({
    max: 30,
    pattern: '^[\\w-]*$',
    description: 'Continues here, also if there is nothing more yet.',
    example: 'NDI',
  })
  nextCursor: string;
  @Output.boolean({ description: 'Whether the next page can be read at once.' })
  more: boolean;
}

/** Query of the feed. */
export class EventsQuery {
  @Input.text({
    optional: true,
    max: 30,
    pattern: /^[\w-]{1,30}$/,
    shape: 'a nextCursor of the feed',
    description: 'nextCursor of the previous page. Without it, the feed begins 30 days back.',
    example: 'NDI',
  })
  cursor?: string;

  @Input.text({
    optional: true,
    max: 1_000,
    pattern: /^[a-z.*-]+(?:,[a-z.*-]+)*$/,
    shape: 'types, or beginnings such as iam.member.*, separated by commas',
    description: 'Lists only these types: names, or beginnings such as `iam.member.*`, separated by commas.',
    example: 'iam.member.*',
  })
  types?: string;

  @Input.text({
    optional: true,
    max: 3,
    pattern: /^(?:[1-9]\d?|100)$/,
    shape: 'a number from 1 to 100',
    example: '50',
    description: 'Maximum number of items.',
  })
  limit?: string;
}
