import 'reflect-metadata';
import fc from 'fast-check';
import { Input, passwordField, textField } from '../../src/platform/api/index.js';
import { ValidationPipe } from '../../src/platform/validation/validation.pipe.js';
import { fieldsOf } from '../../src/platform/api/fields/model.js';
import { OpenApi } from '../support/openapi.js';

class Fields {
  @Input.text({ max: 12, example: 'Ada' })
  text: string;
  @Input(passwordField('set'))
  password: string;
  @Input.email()
  email: string;
  @Input.integer({ min: 1, max: 100, example: 4 })
  pallets: number;
  @Input.number({ min: 0.1, max: 100, example: 2.5 })
  weight: number;
  @Input.date()
  day: string;
  @Input.time()
  time: string;
}

class Uses {
  @Input.text({ max: 12, example: 'Ada', optional: true, nullable: true })
  declaredHere?: string | null;
  @Input(textField({ max: 12, example: 'Ada' }), { optional: true, nullable: true })
  declaredOnce?: string | null;
  @Input.word(['red', 'blue'], { example: 'blue', optional: true })
  word?: string;
}

const GOOD = {
  text: 'Ada',
  password: 'quiet-harbour-42',
  email: 'ada@example.com',
  pallets: 4,
  weight: 2.5,
  day: '2026-11-21',
  time: '2026-11-21T09:00:00Z',
};
const awkward = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 14 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\u00a0', '\t', '\u2028', '\u0085', '\u{1f600}', 'é'),
    maxLength: 14,
  }),
  fc.string({ unit: 'grapheme', minLength: 1_000, maxLength: 1_030 }),
  fc.emailAddress(),
);

/**
 * Clients may validate forms by the published schema, so it must accept exactly what the service
 * does.
 */
describe('Published schema of a field', () => {
  const pipe = new ValidationPipe();
  const api = new OpenApi({ paths: {}, components: {} });

  function published(field: string): object {
    const { type, required: _, ...schema } = fieldsOf(Fields)[field] as Record<string, unknown>;
    return { ...schema, type: type === String ? 'string' : type };
  }

  async function accepts(body: object): Promise<boolean> {
    return pipe.transform(body, { type: 'body', metatype: Fields }).then(
      () => true,
      () => false,
    );
  }

  it.each(['text', 'password'] as const)('agrees with the validator on any %s', async (field) => {
    const schema = published(field);
    await fc.assert(
      fc.asyncProperty(awkward, async (value) => {
        expect([value, api.errorsOf(schema, value).length === 0]).toEqual([
          value,
          await accepts({ ...GOOD, [field]: value }),
        ]);
      }),
      { numRuns: 1_000 },
    );
  });

  const numbers = fc.oneof(fc.integer({ min: -2, max: 103 }), fc.double({ min: -1, max: 101 }), awkward);

  it.each(['pallets', 'weight'] as const)('agrees with the validator on any %s', async (field) => {
    const schema = published(field);
    await fc.assert(
      fc.asyncProperty(numbers, async (value) => {
        expect([value, api.errorsOf(schema, value).length === 0]).toEqual([
          value,
          await accepts({ ...GOOD, [field]: value }),
        ]);
      }),
      { numRuns: 1_000 },
    );
  });

  const days = fc
    .tuple(
      fc.integer({ min: 1_890, max: 2_110 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    )
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join('-'));

  it('agrees with the validator on any date and time', async () => {
    const [day, time] = [published('day'), published('time')];
    const times = fc.tuple(
      days,
      fc.constantFrom('T09:00:00Z', 'T23:59:59.125Z', 'T24:61:00Z', 'T09:00:00+01:00', ''),
    );
    await fc.assert(
      fc.asyncProperty(days, times, async (date, [of, clock]) => {
        const at = of + clock;
        expect([date, api.errorsOf(day, date).length === 0]).toEqual([
          date,
          await accepts({ ...GOOD, day: date }),
        ]);
        expect([at, api.errorsOf(time, at).length === 0]).toEqual([at, await accepts({ ...GOOD, time: at })]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('accepts every email address that the validator accepts', async () => {
    const schema = published('email');
    await fc.assert(
      fc.asyncProperty(fc.emailAddress(), async (email) => {
        if (await accepts({ ...GOOD, email }))
          expect([email, api.errorsOf(schema, email)]).toEqual([email, []]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same for a field declared where it is used, whose rules say how it is used', async () => {
    const { declaredHere, declaredOnce, word } = fieldsOf(Uses);
    expect(declaredHere).toEqual(declaredOnce);
    expect(declaredHere).toMatchObject({ maxLength: 12, required: false, nullable: true });
    expect(word).toMatchObject({ enum: ['red', 'blue'], example: 'blue', required: false });
    const read = (body: object) => pipe.transform(body, { type: 'body', metatype: Uses });
    expect(await read({ declaredHere: null })).toEqual({ declaredHere: null });
    await expect(read({ declaredHere: 'longer than it may be' })).rejects.toMatchObject({
      violations: [{ propertyPath: 'declaredHere' }],
    });
    await expect(read({ word: null })).rejects.toMatchObject({ violations: [{ propertyPath: 'word' }] });
  });
});
