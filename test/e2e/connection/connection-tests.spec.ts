import { ulid } from 'ulid';
import { inSeconds, LabKey, SamlStandIn, type Twist } from '../../lab/saml-stand-in.js';
import { age } from '../../support/ageing.js';
import { LabConnection, oidcSettings, samlSettings } from '../../support/connection.js';
import { signInTraces, withProvider } from '../../support/external.js';
import { Organization } from '../../support/organization.js';
import { type Answer, withApp } from '../../support/test-app.js';

interface Step {
  readonly name: string;
  readonly verdict: string;
  readonly detail: string;
}

describe('Test sign-in by a connection', () => {
  const lab = new SamlStandIn();
  const oidc = withProvider();
  const app = withApp({
    PORTAL: 'off',
    EXTERNAL_BROWSER_BINDING: 'cookie',
    CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
  });
  let organization: Organization;
  let saml: LabConnection;
  beforeAll(async () => {
    organization = await Organization.found(app);
    saml = await LabConnection.create(organization, samlSettings(lab));
  });

  const begin = async (connection: LabConnection) => {
    const { status, body } = await connection.call('POST', '/tests');
    expect([status, body]).toEqual([201, expect.anything()]);
    return { testId: String(body['testId']), authorizationUrl: String(body['authorizationUrl']) };
  };
  const read = (connection: LabConnection, testId: string): Promise<Answer> =>
    connection.call('GET', `/tests/${testId}`);
  const failedOf = ({ body }: Answer) =>
    (body['steps'] as unknown as Step[]).filter(({ verdict }) => verdict === 'failed');
  const testSaml = async (twist: Twist = {}, connection = saml): Promise<Answer> => {
    const { testId, authorizationUrl } = await begin(connection);
    const email = `ada@${connection.domain}`;
    const words = { attributes: { email, groups: 'Engineering' }, ...twist.words };
    const { status, fragment } = await connection.bring(
      lab.answer(authorizationUrl, 'ada', { ...twist, words }),
    );
    expect([status, fragment['test'], fragment['error']]).toEqual([303, testId, undefined]);
    return read(connection, testId);
  };
  const testOidc = async (connection: LabConnection): Promise<Answer> => {
    const { testId, authorizationUrl } = await begin(connection);
    await connection.bring(oidc.visit(authorizationUrl));
    return read(connection, testId);
  };
  const created = async () => {
    const {
      accounts,
      sessions,
      external_identities: identities,
      external_codes: codes,
    } = await signInTraces(app);
    const [members] = await app.sql('SELECT count(*)::int AS members FROM members');
    return { accounts, sessions, identities, codes, ...members };
  };

  it('can be ended after a repeated request, which gets the cookie of the first', async () => {
    const path = `/api/v1/iam/tenants/${organization.id}/connections/${saml.id}/tests`;
    const { token } = organization.owner;
    const start = () =>
      app.call('POST', path, undefined, { token, headers: { 'idempotency-key': `test-${saml.id}` } });
    const [first, second] = [await start(), await start()];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(first.headers.getSetCookie()).toEqual([expect.stringMatching(/^gatehouse-browser=[\w-]{43};/)]);
    expect(second.headers.getSetCookie()).toEqual(first.headers.getSetCookie());
    await age(app, 'idempotent_responses', 601); // the cookie is valid for ten minutes
    const third = await start();
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(third.body).toEqual(first.body);
    expect(third.headers.getSetCookie()).toEqual([]);
  });

  it('lets the connection be activated, and leaves no session, account or membership', async () => {
    expect((await saml.call('POST', '/activate')).status).toBe(409);
    const before = await created();
    const { body } = await testSaml();
    expect(body).toMatchObject({
      status: 'passed',
      attributes: expect.arrayContaining([{ name: 'groups', values: ['Engineering'] }]),
      roles: [],
    });
    expect((body['steps'] as unknown as Step[]).map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
      ...['response', 'issuer', 'recipient', 'request', 'times', 'audience', 'signature', 'subject'].map(
        (name) => `${name} passed`,
      ),
      'domain passed',
      'attributes passed',
      'roles skipped',
    ]);
    expect(await created()).toEqual(before);
    expect((await saml.call('POST', '/activate')).body).toMatchObject({ status: 'active' });
    await saml.call('PATCH', '', { settings: { nameIdFormat: null } });
    expect((await saml.call('POST', '/activate')).status).toBe(409);
  });

  it('ends in the browser that started it alone, also by a set-up link', async () => {
    const connection = await LabConnection.create(organization, oidcSettings(oidc));
    const link = await organization.call('POST', '/setup-links', {
      intents: ['sso'],
      connectionId: connection.id,
    });
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
    const starts: readonly [path: string, token: string][] = [
      [`/api/v1/iam/tenants/${organization.id}/connections/${connection.id}/tests`, organization.owner.token],
      ['/api/v1/iam/setup/connection/tests', String(link.body['url']).split('/').at(-1) ?? ''],
    ];
    for (const [path, token] of starts)
      for (const starter of [firefox, {}]) {
        const started = await app.call('POST', path, {}, { token, headers: starter });
        const [cookie = ''] = (started.headers.get('set-cookie') ?? '').split(';');
        expect([started.status, cookie]).toEqual([
          201,
          expect.stringMatching(/^gatehouse-browser=[\w-]{43}$/),
        ]);
        const { pathname, search } = oidc.visit(String(started.body['authorizationUrl']));
        const land = (headers: Record<string, string>) =>
          fetch(`${app.url}${pathname}${search}`, { headers, redirect: 'manual' }).then(
            ({ status }) => status,
          );
        const statusOf = async () => (await read(connection, String(started.body['testId']))).body['status'];
        expect(await land(firefox)).toBe(400);
        expect(await land({ ...firefox, cookie: `gatehouse-browser=${'x'.repeat(43)}` })).toBe(400);
        expect(await statusOf()).toBe('waiting');
        expect(await land({ ...firefox, cookie })).toBe(303);
        expect(await statusOf()).not.toBe('waiting');
      }
  });

  it('fails by an assertion that another test has used', async () => {
    const connection = await LabConnection.create(organization, samlSettings(lab));
    const words = { assertionId: `_${ulid()}`, attributes: { email: `ada@${connection.domain}` } };
    expect((await testSaml({ words }, connection)).body['status']).toBe('passed');
    const again = await testSaml({ words }, connection);
    expect([again.body['status'], failedOf(again).length]).toEqual(['failed', 1]);
  });

  it('of a connection of another organization cannot be started or read', async () => {
    const { testId } = await begin(saml);
    const other = await Organization.found(app);
    const path = `/connections/${saml.id}/tests`;
    expect((await other.call('POST', path)).status).toBe(404);
    expect((await other.call('GET', `${path}/${testId}`)).status).toBe(404);
  });

  it('does not count for settings that have changed since it began', async () => {
    const connection = await LabConnection.create(organization, samlSettings(lab));
    const { authorizationUrl } = await begin(connection);
    await connection.call('PATCH', '', { settings: { nameIdFormat: null } });
    const email = `ada@${connection.domain}`;
    await connection.bring(lab.answer(authorizationUrl, 'ada', { words: { attributes: { email } } }));
    expect((await connection.call('POST', '/activate')).status).toBe(409);
  });

  it('names each fault of a SAML provider in words of its own', async () => {
    const other = new LabKey('Other');
    const broken: readonly (readonly [step: string, twist: Twist])[] = [
      ['response', { encode: () => 'no base64 at all!' }],
      ['response', { words: { status: 'Responder' } }],
      ['issuer', { words: { responseIssuer: 'https://other.example' } }],
      ['recipient', { words: { destination: 'https://other.example' } }],
      ['request', { words: { inResponseTo: null } }],
      ['times', { words: { notOnOrAfter: inSeconds(-600) } }],
      ['times', { words: { confirmationUntil: inSeconds(-600) } }],
      ['audience', { words: { audience: 'https://other.example' } }],
      ['signature', { sign: { key: other.privateKey } }],
      ['signature', { sign: { assertion: false } }],
      ['signature', { sign: { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' } }],
      [
        'subject',
        { words: { nameIdAttributes: 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient"' } },
      ],
      ['domain', { words: { attributes: { email: 'ada@other.example' } } }],
    ];
    const before = await created();
    const sentences: string[] = [];
    for (const [step, twist] of broken) {
      const answer = await testSaml(twist);
      expect(answer.body['status']).toBe('failed');
      const [fault, ...more] = failedOf(answer);
      expect([fault?.name, more]).toEqual([step, []]);
      sentences.push(String(fault?.detail));
    }
    expect(new Set(sentences).size).toBe(broken.length);
    expect(await created()).toEqual(before);
    expect((await saml.call('POST', '/activate')).status).toBe(409);
  });

  it('names the limit by which an old sign-in at the provider is refused', async () => {
    const connection = await LabConnection.create(organization, samlSettings(lab));
    const attributes = { email: `ada@${connection.domain}` };
    const testAged = async () => {
      const { testId, authorizationUrl } = await begin(connection);
      const post = (url: string) =>
        connection.bring(
          lab.answer(url, 'ada', { words: { attributes, authnInstant: inSeconds(-200_000) } }),
        );
      const { returnUri } = await post(authorizationUrl);
      if (returnUri.startsWith(lab.entryPoint)) await post(returnUri);
      return read(connection, testId);
    };
    const [fault, ...more] = failedOf(await testAged());
    expect([fault?.name, more]).toEqual(['times', []]);
    expect(fault?.detail).toContain('authnInstantMaxAge');
    await connection.call('PATCH', '', { settings: { authnInstantMaxAge: null } });
    expect((await testAged()).body['status']).toBe('passed');
  });

  it('passes at an OpenID Connect provider, and names its faults', async () => {
    const connection = await LabConnection.create(organization, oidcSettings(oidc));
    oidc.person = { sub: 'ada', email: `ada@${connection.domain}`, groups: ['Engineering'] };
    const passed = await testOidc(connection);
    expect([failedOf(passed), passed.body['status']]).toEqual([[], 'passed']);
    for (const [step, twist] of [
      ['audience', { claims: { aud: 'another' } }],
      ['nonce', { claims: { nonce: 'another' } }],
      ['issuer', { claims: { iss: 'https://other.example' } }],
      ['times', { claims: { exp: 1 } }],
      ['signature', { token: (token: string) => `${token.slice(0, -8)}AAAAAAAA` }],
      ['code', { answer: { status: 401, body: { error: 'invalid_client' } } }],
      ['provider', { answer: { status: 500, body: {} } }],
      ['domain', { claims: { email: 'ada@other.example', email_verified: true } }],
    ] as const) {
      oidc.twist = twist;
      expect([step, failedOf(await testOidc(connection)).map(({ name }) => name)]).toEqual([step, [step]]);
    }
  });

  it('is told in the language of the caller, and only at its connection', async () => {
    const { testId, authorizationUrl } = await begin(saml);
    expect((await read(saml, testId)).body).toMatchObject({ status: 'waiting', steps: [] });
    const form = lab.answer(authorizationUrl, 'ada', { words: { audience: 'x' } });
    await saml.bring(form);
    const german = await app.call(
      'GET',
      `${organization.path}/connections/${saml.id}/tests/${testId}`,
      undefined,
      {
        token: organization.owner.token,
        headers: { 'accept-language': 'de' },
      },
    );
    expect(failedOf(german)[0]?.detail).toContain('für eine andere App');
    const other = await LabConnection.create(organization, samlSettings(lab));
    expect((await read(other, testId)).status).toBe(404);
    expect((await saml.bring(form)).status).toBe(400);
  });

  it('begins at the page of the app from a bookmark, for an active connection', async () => {
    const active = await LabConnection.active(organization, samlSettings(lab));
    const open = (id: string) =>
      fetch(`${app.url}/api/iam/auth/external/saml/begin/${id}?login_hint=x`, { redirect: 'manual' });
    const response = await open(active.id);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `http://gatehouse.test/sign-in?connection=${active.id}&kind=saml`,
    ]);
    expect((await open(saml.id)).status).toBe(404);
  });

  it('leaves refusals of people in the audit trail', async () => {
    const active = await LabConnection.active(organization, samlSettings(lab));
    await active.bring(
      lab.answer(await active.start(), 'eve', { words: { attributes: { email: 'eve@b.example' } } }),
    );
    const { body } = await organization.call('GET', `/audit-events?subject=iam/connections/${active.id}`);
    expect(body['items']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'connection.refused-domain', actorId: active.id }),
      ]),
    );
  });
});
