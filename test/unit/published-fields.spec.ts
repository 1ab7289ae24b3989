import 'reflect-metadata';
import fc from 'fast-check';
import { EmailField, PasswordField, TextField } from '../../src/platform/api/fields/fields.js';
import { ValidationPipe } from '../../src/platform/validation/validation.pipe.js';
import { DECORATORS } from '@nestjs/swagger';
import { describeClasses } from '../../src/platform/api/swagger/described.js';
import { OpenApi } from '../support/openapi.js';

class Fields {
  @TextField({ max: 12, example: 'Ada' })
  text: string;
  @PasswordField('set')
  password: string;
  @EmailField()
  email: string;
}

const GOOD = { text: 'Ada', password: 'quiet-harbour-42', email: 'ada@example.com' };
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
  beforeAll(describeClasses);
  const api = new OpenApi({ paths: {}, components: {} });

  function published(field: string): object {
    const {
      type: _,
      required: __,
      ...schema
    } = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, Fields.prototype, field) as Record<
      string,
      unknown
    >;
    return { type: 'string', ...schema };
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

  it('accepts every e-mail address that the validator accepts', async () => {
    const schema = published('email');
    await fc.assert(
      fc.asyncProperty(fc.emailAddress(), async (email) => {
        if (await accepts({ ...GOOD, email }))
          expect([email, api.errorsOf(schema, email)]).toEqual([email, []]);
      }),
      { numRuns: 1_000 },
    );
  });
});
