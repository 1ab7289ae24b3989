import { ulid } from 'ulid';
import { ConnectionDirectory } from '../../../src/connection/index.js';
import { FlowConnections } from '../../../src/external-identity/flow/flow-connections.js';
import { LinkingService } from '../../../src/external-identity/linking/linking.service.js';
import type { TenantId } from '../../../src/kernel/index.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { ExternalVisitor, signInTraces } from '../../support/external.js';
import { TestTotp } from '../../support/factors.js';
import { Organization } from '../../support/organization.js';
import { pkce } from '../../support/satellite.js';
import { eventually, withApp } from '../../support/test-app.js';

const CALLBACK = '/api/iam/auth/external/saml/callback';

describe('Sign-in by a connection of an organization', () => {
  const lab = new SamlStandIn();
  let a: Organization;
  let b: Organization;
  const ids = { a: ulid(), b: ulid() };

  const insertConnection = async (id: string, { id: tenantId }: Organization, domain: string) => {
    const domainId = ulid();
    await app.sql(
      `INSERT INTO connections (tenant_id, id, kind, name, status, provisioning) VALUES ($1, $2, 'saml', 'Provider', 'active', '{"justInTime": false}')`,
      [tenantId, id],
    );
    await app.sql(
      'INSERT INTO saml_connections (tenant_id, connection_id, entity_id, sso_url) VALUES ($1, $2, $3, $4)',
      [tenantId, id, lab.issuer, lab.entryPoint],
    );
    await app.sql(
      `INSERT INTO connection_certificates (tenant_id, connection_id, sha256, certificate, source, not_after) VALUES ($1, $2, 'x', $3, 'manual', now() + interval '1 day')`,
      [tenantId, id, lab.key.certificate],
    );
    await app.sql(
      `INSERT INTO tenant_domains (tenant_id, id, domain, token, status) VALUES ($1, $2, $3, 'token', 'verified')`,
      [tenantId, domainId, domain],
    );
    await app.sql(
      'INSERT INTO connection_domains (tenant_id, connection_id, domain_id) VALUES ($1, $2, $3)',
      [tenantId, id, domainId],
    );
  };
  const linkIdentity = (userId: string, subject: string, connectionId: string) =>
    app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'saml', $3, $4, $5)`,
      [ulid(), userId, connectionId, lab.issuer, subject],
    );

  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    a = await Organization.found(app);
    b = await Organization.found(app);
    await insertConnection(ids.a, a, 'a.example');
    await insertConnection(ids.b, b, 'b.example');
  });

  const start = async (connectionId: string, codeChallenge?: string) => {
    const { status, body } = await new ExternalVisitor(app, 'saml').start({ connectionId, codeChallenge });
    expect([status, body]).toEqual([200, expect.objectContaining({ connectionId })]);
    expect(String(body['redirectUri'])).toMatch(new RegExp(`${CALLBACK}/${connectionId}$`));
    return String(body['authorizationUrl']);
  };
  const post = async (connectionId: string, form: Record<string, string>) => {
    const response = await fetch(`${app.url}${CALLBACK}/${connectionId}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
    const [, fragment = ''] = (response.headers.get('location') ?? '').split('#');
    return { status: response.status, fragment: Object.fromEntries(new URLSearchParams(fragment)) };
  };
  const signIn = async (connectionId: string, subject: string, email: string) =>
    post(connectionId, lab.answer(await start(connectionId), subject, { words: { attributes: { email } } }));
  const proofsOf = (sessionId: unknown) =>
    app.sql('SELECT method, connection_id FROM session_evidence WHERE session_id = $1', [sessionId]);
  /** Rows that a refused sign-in must not leave. */
  const created = async () => {
    const { accounts, sessions, external_identities: identities } = await signInTraces(app);
    return { accounts, sessions, identities };
  };

  it('signs a member in whose identity is known, and keeps which connection vouched', async () => {
    await linkIdentity(a.owner.person.id, 'ada', ids.a);
    const { status, fragment } = await signIn(ids.a, 'ada', 'ada@other.example');
    expect([status, fragment['error']]).toEqual([303, undefined]);
    const me = await app.get('/api/v1/iam/me', fragment['access_token']);
    expect(me.body['id']).toBe(a.owner.person.id);
    expect(await proofsOf(fragment['session_id'])).toEqual([{ method: 'saml', connection_id: ids.a }]);
    const [health] = await app.sql('SELECT last_sign_in_at FROM connections WHERE id = $1', [ids.a]);
    expect(health).toEqual({ last_sign_in_at: expect.any(Date) });
  });

  it('keeps which connection vouched for a person who returns by a code', async () => {
    await linkIdentity(a.owner.person.id, 'ada-by-code', ids.a);
    const { codeVerifier, codeChallenge } = pkce();
    const { fragment } = await post(ids.a, lab.answer(await start(ids.a, codeChallenge), 'ada-by-code'));
    const { status, body } = await app.post('external/token', { code: fragment['code'], codeVerifier });
    expect(status).toBe(200);
    expect(await proofsOf(body['sessionId'])).toEqual([{ method: 'saml', connection_id: ids.a }]);
  });

  it('asks a person with a second factor for it, and has no session until then', async () => {
    const member = await a.join('member');
    await linkIdentity(member.person.id, 'protected', ids.a);
    await TestTotp.enrol(app, member.token);
    const before = await created();
    const { fragment } = await signIn(ids.a, 'protected', 'protected@a.example');
    expect(fragment).toMatchObject({ error: 'second_factor_required', challenge: expect.any(String) });
    expect(fragment).not.toHaveProperty('access_token');
    expect(await created()).toEqual(before);
  });

  it('does not know the same subject of the same provider at another connection', async () => {
    const before = await created();
    const { fragment } = await signIn(ids.b, 'ada', 'ada@b.example');
    expect(fragment['error']).toBe('not_provisioned');
    expect(await created()).toEqual(before);
  });

  it.each(['victim@b.example', 'victim@nowhere.example', 'victim@sub.a.example', 'no address'])(
    'refuses an unknown identity with %s, and records why',
    async (email) => {
      const before = await created();
      const { fragment } = await signIn(ids.a, ulid(), email);
      expect(fragment['error']).toBe('domain_not_verified');
      expect(await created()).toEqual(before);
      const [health] = await app.sql('SELECT last_error FROM connections WHERE id = $1', [ids.a]);
      expect(health).toEqual({ last_error: 'domain_not_verified' });
    },
  );

  it('links no account by its address', async () => {
    const email = `${ulid().toLowerCase()}@a.example`;
    await app.register(email);
    const before = await created();
    const { fragment } = await signIn(ids.a, ulid(), email);
    expect(fragment['error']).toBe('account_exists');
    expect(await created()).toEqual(before);
  });

  it('refuses a person who is no member of its organization', async () => {
    await linkIdentity(b.owner.person.id, 'stranger', ids.a);
    const before = await created();
    const { fragment } = await signIn(ids.a, 'stranger', 'stranger@a.example');
    expect(fragment['error']).toBe('not_provisioned');
    expect(await created()).toEqual(before);
  });

  it('refuses a response for one connection at each other callback', async () => {
    const form = lab.answer(await start(ids.a), 'ada');
    const before = await created();
    expect((await post(ids.b, form)).status).toBe(400);
    expect((await post('', form)).status).toBeGreaterThanOrEqual(400);
    expect(await created()).toEqual(before);
    expect((await post(ids.a, form)).fragment['error']).toBeUndefined();
  });

  it('refuses an assertion for the audience of another connection of the same provider', async () => {
    const assertion = lab.answer(await start(ids.a), 'ada');
    const { RelayState } = lab.answer(await start(ids.b), 'ada');
    const before = await created();
    const { fragment } = await post(ids.b, { ...assertion, RelayState });
    expect(fragment['error']).toBe('invalid_response');
    expect(await created()).toEqual(before);
  });

  it('publishes metadata of its own', async () => {
    const read = (id: string) => fetch(`${app.url}/api/iam/auth/external/saml/metadata/${id}`);
    const xml = await (await read(ids.a)).text();
    expect(xml).toContain(`saml/metadata/${ids.a}"`);
    expect(xml).toContain(`saml/callback/${ids.a}"`);
    expect((await read(ulid())).status).toBe(404);
  });

  it('starts by an active connection of the kind only', async () => {
    const visitor = new ExternalVisitor(app, 'saml');
    expect((await visitor.start({ connectionId: ulid() })).status).toBe(404);
    const other = await visitor.start({ connectionId: ids.a }, 'oidc');
    expect(other.body).toMatchObject({ status: 400, violations: [{ propertyPath: 'connectionId' }] });
  });

  it('ends with connection_disabled where it was disabled in between', async () => {
    const form = lab.answer(await start(ids.b), 'ada');
    await app.sql("UPDATE connections SET status = 'disabled' WHERE id = $1", [ids.b]);
    await app.sql("SELECT pg_notify('gatehouse_connection_changed', $1)", [ids.b]);
    const before = await created();
    expect((await post(ids.b, form)).fragment['error']).toBe('connection_disabled');
    expect(await created()).toEqual(before);
    const { status } = await new ExternalVisitor(app, 'saml').start({ connectionId: ids.b });
    expect(status).toBe(404);
  });

  it('ends the sessions that began by it if it is disabled so, and no others', async () => {
    const { id: ended } = await LabConnection.active(a, samlSettings(lab));
    const { person } = await a.join('member');
    const tokens: Record<string, string> = { own: person.token };
    for (const [name, id] of Object.entries({ ended, other: ids.a })) {
      await linkIdentity(person.id, 'by-both', id);
      const { fragment } = await post(id, lab.answer(await start(id), 'by-both'));
      tokens[name] = fragment['access_token'] ?? '';
    }
    const { codeVerifier, codeChallenge } = pkce();
    const waiting = await post(ended, lab.answer(await start(ended, codeChallenge), 'by-both'));
    const alive = async () => {
      const answers = Object.entries(tokens).map(async ([name, token]) => [
        name,
        (await app.get('/api/v1/iam/me', token)).status === 200,
      ]);
      return Object.fromEntries(await Promise.all(answers)) as Record<string, boolean>;
    };
    expect(await alive()).toEqual({ own: true, ended: true, other: true });
    const disable = await a.call('POST', `/connections/${ended}/disable`, { endSessions: true });
    expect([disable.status, disable.body['status']]).toEqual([200, 'disabled']);
    await eventually('its session has ended', async () => !(await alive())['ended']);
    expect(await alive()).toEqual({ own: true, ended: false, other: true });
    const redeemed = await app.post('external/token', { code: waiting.fragment['code'], codeVerifier });
    expect([redeemed.status, waiting.fragment['code']]).toEqual([400, expect.any(String)]);
  });

  it('ends a session that began by it also if its identity has been unlinked since', async () => {
    const { id } = await LabConnection.active(a, samlSettings(lab));
    const { person } = await a.join('member');
    await linkIdentity(person.id, 'unlinked', id);
    const { fragment } = await post(id, lab.answer(await start(id), 'unlinked'));
    const status = async () => (await app.get('/api/v1/iam/me', fragment['access_token'] ?? '')).status;
    expect(await status()).toBe(200);
    await app.sql('DELETE FROM external_identities WHERE connection_id = $1', [id]);
    await a.call('POST', `/connections/${id}/disable`, { endSessions: true });
    await eventually('the session has ended', async () => (await status()) === 401);
  });

  describe('where an earlier check did not notice', () => {
    const of = <T>(type: new (...parameters: never[]) => T): T => app.app.get(type, { strict: false });

    it('believes no address outside its domains, whatever the strategy says of it', async () => {
      const connection = await of(FlowConnections).getForCallback(ids.a);
      const profile = {
        issuer: lab.issuer,
        subject: ulid(),
        email: 'victim@b.example',
        emailProof: 'authority',
        firstName: null,
      } as const;
      await expect(of(LinkingService).resolve('saml', profile, connection)).rejects.toMatchObject({
        reason: 'domain_not_verified',
      });
    });

    it('does not find the connection of another organization', async () => {
      const directory = of(ConnectionDirectory);
      expect(await directory.findForShare(a.id as TenantId, ids.a)).toMatchObject({ id: ids.a });
      expect(await directory.findForShare(b.id as TenantId, ids.a)).toBeNull();
    });

    it('refuses a disabled connection before its provider is asked', async () => {
      await app.sql("UPDATE connections SET status = 'disabled' WHERE id = $1", [ids.b]);
      await app.sql("SELECT pg_notify('gatehouse_connection_changed', $1)", [ids.b]);
      const reason = () =>
        of(FlowConnections)
          .getForCallback(ids.b)
          .then(
            () => null,
            (error: { reason?: string }) => error.reason,
          );
      await eventually(
        'the connection to be refused',
        async () => (await reason()) === 'connection_disabled',
      );
    });

    it('refuses one that is disabled in the database and active in the cache', async () => {
      await of(FlowConnections).getForCallback(ids.a);
      await app.sql("UPDATE connections SET status = 'disabled' WHERE id = $1", [ids.a]);
      await expect(of(FlowConnections).read(ids.a)).rejects.toMatchObject({ reason: 'connection_disabled' });
    });
  });
});
