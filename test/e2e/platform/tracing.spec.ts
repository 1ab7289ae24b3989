import { request } from 'node:http';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { found } from '../../support/canaries.js';
import { ExternalVisitor } from '../../support/external.js';
import { Person } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';
import { TraceCollector } from '../../support/trace-collector.js';

const ME = '/api/v1/iam/me';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('Traces', () => {
  let collector: TraceCollector;
  let lab: OidcStandIn;
  beforeAll(async () => {
    collector = await TraceCollector.start();
    lab = await OidcStandIn.start();
  });
  afterAll(async () => {
    await lab.close();
    await collector.close();
  });
  beforeEach(() => {
    collector.bodies.length = 0;
  });

  /** What the collector has once the service has ended, which sends the last of it. */
  async function traced(
    overrides: Record<string, string>,
    visit: (app: TestApp) => Promise<unknown>,
  ): Promise<TraceCollector['spans']> {
    const app = await TestApp.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...overrides });
    try {
      await visit(app);
    } finally {
      await app.stop();
    }
    return collector.spans;
  }
  const ask = (url: string, headers: Record<string, string>) =>
    new Promise((resolve) => {
      request(url, { headers }, (answer) => answer.resume().once('end', resolve)).end();
    });

  it('show a request with its statements, by route and table, under the id that the answer has', async () => {
    let requestId: string | null = null;
    const spans = await traced({}, async (app) => {
      const { headers } = await app.post('login', await app.register());
      requestId = headers.get('x-request-id');
    });
    const login = spans.find(({ name }) => name === 'POST /api/v1/iam/auth/login');
    expect(login?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/v1/iam/auth/login',
      'http.response.status_code': 200,
      'gatehouse.request.id': requestId,
    });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === login?.spanId);
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['SELECT accounts', 'WITH sessions', 'COMMIT']),
    );
    expect(new Set(statements.map(({ traceId }) => traceId))).toEqual(new Set([login?.traceId]));
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'gatehouse' });
  });

  it('show jobs with their statements, and an external sign-in with the requests to the provider', async () => {
    const spans = await traced(lab.settings, async (app) => {
      await app.register();
      const visitor = new ExternalVisitor(app, 'oidc');
      const { body } = await visitor.start();
      await visitor.open(lab.visit(String(body['authorizationUrl'])));
    });
    const partsOf = (whole: string) => {
      const { spanId } = spans.find(({ name }) => name === whole) ?? {};
      return spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);
    };
    expect(partsOf('job mail.send')).toContain('UPDATE outgoing_mails');
    expect(partsOf('GET /api/iam/auth/external/:kind/callback')).toContain('POST 127.0.0.1');
  });

  it('mark what failed by its code, without its words', async () => {
    const spans = await traced({}, async (app) => {
      const { token } = await Person.signUp(app);
      await app.sql('ALTER TABLE accounts RENAME COLUMN first_name TO gone');
      await app.call('PATCH', ME, { firstName: 'Grace' }, { token });
    });
    const me = spans.find(({ name, failed }) => name === `PATCH ${ME}` && failed);
    expect(me?.attributes['http.response.status_code']).toBe(500);
    const statement = spans.find(({ parentSpanId, failed }) => failed && parentSpanId === me?.spanId);
    expect(statement?.attributes['error.type']).toBe('42703');
  });

  it('contain no personal data: no address, name, id, password, token or code', async () => {
    const canaries: Record<string, string> = { password: 'quiet-harbour-42', firstName: 'Ada' };
    const spans = await traced(lab.settings, async (app) => {
      const person = await Person.signUp(app, 'canary@example.com');
      const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
      await app.post('login', { email: person.email, password: 'another-secret-word' });
      await app.get(`/api/v1/iam/nothing/${person.id}?q=${person.email}`, person.token);
      const visitor = new ExternalVisitor(app, 'oidc');
      const { fragment } = await visitor.open(
        lab.visit(String((await visitor.start()).body['authorizationUrl'])),
      );
      Object.assign(canaries, {
        email: person.email,
        id: person.id,
        session: person.sessionId,
        access: person.token,
        refresh: String(body['refreshToken']),
        state: fragment['state'],
      });
    });
    expect(spans.length).toBeGreaterThan(50);
    expect(Object.values(canaries).every((canary) => canary.length >= 3)).toBe(true);
    const { firstName: _, ...long } = canaries;
    expect(found(long, collector.bodies.join('\n'))).toEqual([]);
    expect(collector.bodies.join('\n')).not.toMatch(/\bAda\b/);
  });

  it('join the trace of a trusted proxy only', async () => {
    const traceOf = async (overrides: Record<string, string>) => {
      collector.bodies.length = 0;
      const spans = await traced(overrides, (app) => ask(`${app.url}${ME}`, { traceparent: TRACEPARENT }));
      return spans.find(({ name }) => name === `GET unmatched` || name === `GET ${ME}`)?.traceId;
    };
    expect(await traceOf({ TRUSTED_PROXIES: '127.0.0.0/8' })).toBe(TRACE);
    expect(await traceOf({})).toMatch(/^(?!4bf92f3577b34da6)[0-9a-f]{32}$/);
  });

  it('are kept in the share that is asked for', async () => {
    const spans = await traced({ OTEL_TRACES_SAMPLER_ARG: '0' }, (app) => app.get(ME));
    expect(spans).toEqual([]);
  });

  it('leave out what is asked every few seconds', async () => {
    const spans = await traced({}, (app) => app.get('/readyz'));
    expect(spans.filter(({ name }) => name.includes('readyz'))).toEqual([]);
  });

  it('do not block: without its collector the service responds, and stops', async () => {
    const app = await TestApp.start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    await app.login(await app.register());
    const began = Date.now();
    await app.stop();
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});
