import { ULID_PATTERN } from '../../kernel/index.js';
import { dataExampleOf, dataSchemaOf, type EventType, eventTypes, type JsonSchema } from './event-type.js';

/** A type as its subscribers see it. */
export interface EventDocument {
  readonly type: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
}

const ID = { type: 'string', minLength: 26, maxLength: 26, pattern: ULID_PATTERN } as const;
const NULLABLE_ID = { ...ID, type: ['string', 'null'] } as const;

/** Returns the collection of a type's subjects: `iam/directories` of `iam.directory.created`. */
const collectionOf = (name: string): string =>
  `${name.split('.').slice(0, 2).join('/')}s`.replace(/ys$/, 'ies');

/** Returns the JSON Schema and an example of an event as it is delivered. */
export function eventDocumentOf(type: EventType): EventDocument {
  const { name, description } = type;
  const example = {
    type: name,
    timestamp: '2026-01-02T03:04:05.678Z',
    id: '01K3V9D7Q8Z4X5N6M7P8R9S0T0',
    sequence: 42,
    tenantId: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    subject: `${collectionOf(name)}/01K3V9D7Q8Z4X5N6M7P8R9S0T2`,
    actor: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
    data: dataExampleOf(type),
  };
  const schema = {
    type: 'object',
    properties: {
      type: { type: 'string', const: name },
      timestamp: { type: 'string', format: 'date-time', description: 'Time of the event.', maxLength: 24 },
      id: { ...ID, description: 'The same on every attempt; also in the header `webhook-id`.' },
      sequence: {
        type: 'integer',
        format: 'int64',
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Position in the events of the organization. Drop what comes after a higher one. 0 for a test.',
      },
      tenantId: { ...NULLABLE_ID, description: 'The organization; null for operators of the platform.' },
      subject: {
        type: 'string',
        maxLength: 200,
        pattern: '^[a-z-]+/[a-z-]+/\\S+$',
        description: 'What it happened to, as <module>/<collection>/<id>.',
      },
      actor: { ...NULLABLE_ID, description: 'Person who caused it; null if it was the service.' },
      data: dataSchemaOf(type),
    },
    required: ['type', 'timestamp', 'id', 'sequence', 'tenantId', 'subject', 'actor', 'data'],
  };
  return { type: name, description, schema, example };
}

/** Returns all types as subscribers see them, in order of name. */
export const eventDocuments = (): EventDocument[] => eventTypes().map(eventDocumentOf);
