import { described, type Field } from './field.js';

export interface NumberRules {
  readonly min: number;
  readonly max: number;
  readonly example: number;
  readonly description?: string;
}

const isWithin = (value: unknown, min: number, max: number): value is number =>
  typeof value === 'number' && value >= min && value <= max;

/** Integer; its format is `int64` if `max` exceeds 32 bits. */
export function integerField({ min, max, example, description }: NumberRules): Field {
  return {
    schema: {
      type: 'integer',
      format: max < 2 ** 31 ? 'int32' : 'int64',
      minimum: min,
      maximum: max,
      example,
      ...described(description),
    },
    checks: [
      {
        name: 'integer',
        message: { id: 'field.integer', values: { min, max } },
        test: (value) => Number.isInteger(value) && isWithin(value, min, max),
      },
    ],
  };
}

/** Number. For money, use an integer of the smallest unit. */
export function numberField({ min, max, example, description }: NumberRules): Field {
  return {
    schema: {
      type: 'number',
      format: 'double',
      minimum: min,
      maximum: max,
      example,
      ...described(description),
    },
    checks: [
      {
        name: 'number',
        message: { id: 'field.number', values: { min, max } },
        test: (value) => isWithin(value, min, max),
      },
    ],
  };
}

/** Boolean. */
export function booleanField({
  example = false,
  description,
}: { example?: boolean; description?: string } = {}): Field {
  return {
    schema: { type: Boolean, example, ...described(description) },
    checks: [
      { name: 'isBoolean', message: { id: 'field.boolean' }, test: (value) => typeof value === 'boolean' },
    ],
  };
}

const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/** Time (RFC 3339), in UTC. */
export function timeField({ description = 'RFC 3339, in UTC.' }: { description?: string } = {}): Field {
  const isTime = (value: unknown): boolean => {
    const date = typeof value === 'string' ? TIME.exec(value)?.[1] : undefined;
    return date !== undefined && isDate(date) && !Number.isNaN(Date.parse(String(value)));
  };
  return {
    schema: {
      type: String,
      format: 'date-time',
      maxLength: 30,
      example: '2026-11-21T09:00:00.000Z',
      ...described(description),
    },
    strict: { pattern: 'Z$' },
    checks: [{ name: 'time', message: { id: 'field.time' }, test: isTime }],
  };
}

/** Day of the calendar (RFC 3339 full-date), without a time zone. */
export function dateField({ description }: { description?: string } = {}): Field {
  return {
    schema: {
      type: String,
      format: 'date',
      minLength: 10,
      maxLength: 10,
      example: '2026-11-21',
      ...described(description),
    },
    checks: [{ name: 'date', message: { id: 'field.date' }, test: isDate }],
  };
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}
