import { LINE_PATTERN } from '../../../kernel/index.js';
import type { OpenAPIObject } from '@nestjs/swagger';

/** A type of events for the document. */
export interface DocumentedEvent {
  readonly type: string;
  readonly description: string;
  readonly schema: object;
  readonly example: object;
}

const HEADERS = [
  ['webhook-id', 'Id of the event: the same on every attempt.'],
  ['webhook-timestamp', 'Seconds since 1970 of the attempt. Refuse one that is older than five minutes.'],
  ['webhook-signature', 'Signatures by Standard Webhooks 1.0, separated by spaces.'],
] as const;

/** Returns the part `webhooks` of the document: one request to the subscriber for each type. */
export function webhooksOf(events: readonly DocumentedEvent[]): NonNullable<OpenAPIObject['webhooks']> {
  const parameters = HEADERS.map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string', maxLength: 1_000, pattern: LINE_PATTERN },
  }));
  const described = events.map(({ type, description, schema, example }) => {
    const content = { 'application/json': { schema, examples: { example: { value: example } } } };
    const requestBody = { required: true, content };
    const responses = { '2XX': { description: 'The event was received. Anything else is sent again.' } };
    return [type, { post: { summary: type, description, parameters, requestBody, responses } }];
  });
  return Object.fromEntries(described) as NonNullable<OpenAPIObject['webhooks']>;
}
