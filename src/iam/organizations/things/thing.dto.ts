import { Input, listField, objectListField, Output, textField } from '../../../platform/api/index.js';
import { SUBJECT_SHAPE } from '../../../ability/index.js';
import { THING } from '../organization.declarations.js';
import { MAX_PARENTS, type RegisteredThing } from './thing.repository.js';

/** Things of one request. */
const MAX_BULK = 1_000;

const ORDER = { example: 'gatehouse:///freight/orders/01K3V9D7Q8Z4X5N6M7P8R9S0T5' } as const;
const PARENTS = listField({
  max: MAX_PARENTS,
  pattern: SUBJECT_SHAPE,
  message: 'must have the shape <scheme>:///<module>/<collection>/<ulid>',
  description: 'What it is a part of: other things, of any service, whether or not they are registered.',
  example: ['gatehouse:///freight/depots/01K3V9D7Q8Z4X5N6M7P8R9S0T4'],
});
const NAME = textField({ max: 100, example: 'Order 4711', description: 'Name, for people.' });

export class RegisterThingDto {
  @Input(PARENTS)
  parents: string[];

  @Input(NAME, { optional: true })
  name?: string;
}

export class BulkThingDto extends RegisterThingDto {
  @Input(THING, ORDER)
  thing: string;
}

export class RegisterThingsDto {
  @Input(objectListField(() => BulkThingDto, MAX_BULK))
  things: BulkThingDto[];
}

/** Query of the list of things, in addition to the page's. */
export class ThingsQuery {
  @Input.text({ optional: true, max: 100, description: 'A part of the name.', example: '4711' })
  query?: string;
}

/** A registered thing. */
export class ThingResponse {
  @Output(THING, ORDER)
  thing: string;

  @Output(PARENTS)
  parents: string[];

  @Output(NAME, { nullable: true })
  name: string | null;

  @Output.time()
  updatedAt: string;

  static from({ thing, parents, name, updatedAt }: RegisteredThing): ThingResponse {
    const uriOf = (one: string): string => `gatehouse:///${one}`;
    return { thing: uriOf(thing), parents: parents.map(uriOf), name, updatedAt: updatedAt.toISOString() };
  }
}

export class RegisteredThingsResponse {
  @Output.integer({ min: 0, max: MAX_BULK, example: 1, description: 'Things that are new or changed.' })
  changed: number;
}
