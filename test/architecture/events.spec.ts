import { globSync, readFileSync } from 'node:fs';
import { RouteManifest } from '../../src/access/index.js';
import { AbilityRegistry } from '../../src/ability/index.js';
import { AuditTrail, recordedActions } from '../../src/iam/index.js';
import { newId, type UserId } from '../../src/kernel/index.js';
import { eventDocuments, eventTypes } from '../../src/platform/events/index.js';
import { ACTIONS_WITHOUT_EVENT, EVENTS_OF_ROUTES } from '../support/route-events.js';
import { TestApp } from '../support/test-app.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

describe('Types of events', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('have unchanged schemas: a new meaning is a new name', () => {
    expect(eventDocuments()).toMatchSnapshot();
  });

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
      const { properties } = eventDocuments()
        .filter(({ type }) => type === name)
        .map(({ schema }) => (schema['properties'] as { data: { properties: object } }).data)[0] ?? {
        properties: {},
      };
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
