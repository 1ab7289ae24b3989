import { globSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RouteManifest } from '../../src/access/index.js';
import { AbilityRegistry } from '../../src/ability/index.js';
import { AuditTrail, recordedActions } from '../../src/iam/index.js';
import { newId, type UserId } from '../../src/kernel/index.js';
import { eventDocuments, eventTypes } from '../../src/platform/events/index.js';
import { ACTIONS_WITHOUT_EVENT, EVENTS_OF_ROUTES } from '../support/route-events.js';
import { withApp } from '../support/test-app.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** Returns a line for each field: what its values may be, without words for people. */
function fieldsOf(name: string, { properties, required = [] }: ObjectSchema): string[] {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const rules = JSON.stringify(schema, (key, value: unknown) =>
      ['description', 'examples'].includes(key) ? undefined : value,
    );
    return `${name} ${field}${required.includes(field) ? '' : '?'}: ${rules}`;
  });
  return fields.length > 0 ? fields : [`${name}: no data`];
}

describe('Types of events', () => {
  const app = withApp();
  const documents = eventDocuments().map((document) => {
    const { properties, required } = document.schema as unknown as ObjectSchema;
    const { data, type, ...common } = properties;
    return {
      ...document,
      data: data as ObjectSchema,
      named: type,
      envelope: { properties: common, required },
    };
  });

  it('have unchanged schemas: a new meaning is a new name', () => {
    const [first] = documents;
    const data = documents.flatMap((document) => fieldsOf(document.type, document.data));
    expect([...fieldsOf('envelope', first!.envelope), ...data]).toMatchSnapshot();
  });

  it.each(documents.map((document) => [document.type, document] as const))(
    '%s has the envelope of all, and an example that fits the schema',
    (name, { schema, example, named, envelope, data }) => {
      expect(envelope).toEqual(documents[0]!.envelope);
      expect(envelope.required).toEqual(expect.arrayContaining(['type', 'data']));
      expect(named).toEqual({ type: 'string', const: name });
      expect(data).toMatchObject({ type: 'object' });
      const ajv = new Ajv2020({ strict: false });
      addFormats.default(ajv, { mode: 'full' });
      expect([ajv.validate(schema, example), ajv.errors]).toEqual([true, null]);
    },
  );

  it('are in the OpenAPI document', async () => {
    const { body } = await app.get('/api/docs/openapi.json');
    const webhooks = body['webhooks'] as unknown as Record<string, unknown>;
    expect(Object.keys(webhooks)).toEqual(eventTypes().map(({ name }) => name));
  });

  it.each(eventTypes().map((type) => [type.name, type] as const))(
    '%s name a scope that exists, and fields with a bound and an example',
    (name, { readScope, model }) => {
      expect([readScope, app.app.get(AbilityRegistry, { strict: false }).find(readScope)]).not.toEqual([
        readScope,
        undefined,
      ]);
      const properties = documents.find(({ type }) => type === name)?.data.properties ?? {};
      for (const [field, schema] of Object.entries(properties as Record<string, Record<string, unknown>>)) {
        const bound = schema['maxLength'] ?? schema['maxItems'] ?? schema['enum'] ?? schema['maximum'];
        expect([model.name, field, bound]).not.toEqual([model.name, field, undefined]);
        expect([field, schema['examples']]).not.toEqual([field, undefined]);
      }
    },
  );

  it('are emitted by every command, or the list says why not', () => {
    const commands = app.app
      .get(RouteManifest, { strict: false })
      .routes.filter(({ method }) => !READS.has(method))
      .map(({ method, path }) => `${method} ${path}`);
    expect(commands.filter((route) => !(route in EVENTS_OF_ROUTES))).toEqual([]);
    expect(Object.keys(EVENTS_OF_ROUTES).filter((route) => !commands.includes(route))).toEqual([]);
    const listed = Object.values(EVENTS_OF_ROUTES).flatMap((events) =>
      typeof events === 'string' ? [] : events,
    );
    const known = new Set(eventTypes().map(({ name }) => name));
    expect(listed.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are those of actions that are composed at run time as well', () => {
    const trail = app.app.get(AuditTrail, { strict: false });
    const composed = ['thing', 'changed'].join('.');
    expect(() => trail.record({ actorId: newId() as UserId, action: composed })).toThrow(composed);
  });

  it('are those of every action of the audit trail, or the list says why not', () => {
    const sources = globSync('src/**/*.ts').map((file) => readFileSync(file, 'utf8'));
    const written = sources.flatMap((text) => [
      ...[...text.matchAll(/action: '([a-z-]+\.[a-z-]+)'|recordChange\(\s*'([a-z.-]+)'/g)].map(
        ([, one, other]) => one ?? other ?? '',
      ),
      ...[...text.matchAll(/recordForAccount\([\w.]+, '([a-z-]+)'/g)].map(([, what]) => `account.${what}`),
    ]);
    const known = new Set([...recordedActions(), ...Object.keys(ACTIONS_WITHOUT_EVENT)]);
    expect([...new Set(written)].filter((action) => !known.has(action))).toEqual([]);
  });
});
