import { decodeJwt } from 'jose';
import { fetchUserInfo, None, refreshTokenGrant } from 'openid-client';
import { signedInAgo } from '../../support/aged.js';
import { ageSession } from '../../support/ageing.js';
import { TenantAdmission } from '../../../src/session/index.js';
import { startDeletion } from '../../support/deletion.js';
import { Organization, Person, setSignInPolicy } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { pkce, signUpOperator } from '../../support/satellite.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const REDIRECT_URI = 'https://grafana.example/callback';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const SATELLITES = '/api/v1/iam/satellites';
const NOT_A_MEMBER = { status: 403, body: { type: '/errors/not-a-member' } };

describe('Clients of one organization', () => {
  let acme: Organization;
  let globex: Organization;
  let grafana: RelyingParty;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
    globex = await Organization.found(app);
    grafana = await partyOf(acme, { grantTypes: ['authorization_code', 'refresh_token', DEVICE_CODE] });
  });

  const register = (organization: Organization, data: object = {}, token?: string) =>
    organization.call(
      'POST',
      '/clients',
      { name: 'Dashboards', redirectUris: [REDIRECT_URI], ...data },
      token,
    );
  const partyOf = async (organization: Organization, data: object = {}): Promise<RelyingParty> => {
    const { status, body } = await register(organization, data);
    expect([status, body]).toEqual([201, expect.anything()]);
    const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
    return RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT_URI });
  };
  /** Waits for the bound of API-5 until the token is refused. */
  const refused = (token: string) =>
    eventually(
      'the token is refused',
      async () => (await app.get('/oauth2/userinfo', token)).status === 401,
      1_000,
    );
  const requireSecondFactor = (organization: Organization) =>
    setSignInPolicy(organization, { secondFactor: 'required' });
  const archive = async (organization: Organization): Promise<void> =>
    expect((await organization.call('POST', '/archive')).status).toBe(200);
  const errorOf = (url: unknown): string | null => new URL(String(url)).searchParams.get('error');
  const remove = (organization: Organization, person: Person) =>
    organization.call('DELETE', `/members/${person.id}`);

  describe('in the registry', () => {
    it('are registered, listed, changed and deleted by their organization, and its trail says so', async () => {
      const organization = await Organization.found(app);
      const { status, body, headers } = await register(organization);
      const { clientSecret, ...client } = body;
      expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
      expect(clientSecret).toMatch(/^ghs_[\w-]{43}$/);
      expect(client).toMatchObject({
        clientId: expect.stringMatching(/^org-[\da-z]{26}$/),
        tenantId: organization.id,
        firstParty: false,
        subjectType: 'pairwise',
        scopes: [],
        status: 'active',
      });
      const path = `/clients/${String(client['clientId'])}`;
      expect(headers.get('location')).toBe(`${organization.path}${path}`);
      expect((await organization.call('GET', path)).body).toEqual(client);
      expect(itemsOf(await organization.call('GET', '/clients'))).toEqual([client]);
      const changed = await organization.call('PATCH', path, { name: 'Charts', requirePar: true });
      expect(changed.body).toEqual({ ...client, name: 'Charts', requirePar: true });
      const rotated = await organization.call('POST', `${path}/rotate-secret`);
      expect(rotated).toMatchObject({
        status: 200,
        body: { clientSecret: expect.not.stringMatching(String(clientSecret)) },
      });
      expect((await organization.call('DELETE', path)).status).toBe(204);
      expect((await organization.call('GET', path)).status).toBe(404);
      const trail = await organization.call(
        'GET',
        `/audit-events?subject=iam/clients/${String(client['id'])}`,
      );
      expect(itemsOf<{ action: string }>(trail).map(({ action }) => action)).toEqual(
        ['deleted', 'secret-rotated', 'updated', 'registered'].map((what) => `client.${what}`),
      );
    });

    it('are unknown to other organizations, and to their own under the id of another', async () => {
      const { clientId } = grafana;
      for (const [method, below, body] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'Mine' }],
        ['POST', '/rotate-secret', undefined],
        ['DELETE', '', undefined],
      ] as const) {
        const path = `/clients/${clientId}${below}`;
        expect((await globex.call(method, path, body)).status).toBe(404);
        expect((await acme.call(method, path, body, globex.owner.token)).status).toBe(404);
      }
      expect(itemsOf(await globex.call('GET', '/clients'))).toEqual([]);
      expect((await acme.call('GET', `/clients/${clientId}`)).body).toMatchObject({ name: 'Dashboards' });
    });

    it('need a permission, and a recent sign-in', async () => {
      const member = await acme.join('member');
      expect(await register(acme, {}, member.token)).toMatchObject({
        status: 403,
        body: { code: 'scope_not_held' },
      });
      expect((await acme.call('GET', '/clients', undefined, member.token)).status).toBe(403);
      const admin = await acme.join('admin');
      expect((await register(acme, {}, admin.token)).status).toBe(201);
      const { accessToken } = await signedInAgo(app, admin.person);
      const selected = await app.post('select-tenant', { tenantId: acme.id }, { token: accessToken });
      const late = String(selected.body['accessToken']);
      expect(await register(acme, {}, late)).toMatchObject({
        status: 401,
        body: { type: '/errors/insufficient-user-authentication' },
      });
    });

    it('cannot skip consent, choose their name, or get permissions of people or operators', async () => {
      const given = { firstParty: true, clientId: 'help-centre', tenantId: globex.id };
      const own = { firstParty: false, clientId: expect.stringMatching(/^org-/), tenantId: acme.id };
      expect(await register(acme, given)).toMatchObject({ status: 201, body: own });
      const path = `/clients/${grafana.clientId}`;
      expect(await acme.call('PATCH', path, given)).toMatchObject({ status: 200, body: own });
      for (const wrong of [
        { tokenEndpointAuthMethod: 'private_key_jwt' },
        { scopes: ['*'] },
        { scopes: ['iam:satellite:read'] },
        { scopes: ['iam:session:end'] },
        { scopes: ['iam:client:update'] },
        { redirectUris: ['http://grafana.example/callback'] },
      ])
        expect([wrong, (await register(acme, wrong)).status]).toEqual([wrong, 400]);
      for (const wrong of [{ scopes: ['*'] }, { scopes: ['platform:person:read'] }])
        expect([wrong, (await acme.call('PATCH', path, wrong)).status]).toEqual([wrong, 400]);
    });

    it('have no secret to rotate if they are public', async () => {
      const { body } = await register(acme, { type: 'public', redirectUris: ['http://127.0.0.1/cb'] });
      expect(body).not.toHaveProperty('clientSecret');
      const path = `/clients/${String(body['clientId'])}/rotate-secret`;
      expect(await acme.call('POST', path)).toMatchObject({
        status: 409,
        body: { detail: 'This client has no secret.' },
      });
    });

    it('are at most a hundred', async () => {
      const organization = await Organization.found(app);
      await app.sql(
        "INSERT INTO satellites (id, client_id, tenant_id, name, redirect_uris, secret_hash) SELECT $1 || n, 'org-' || lower($1) || n, $1, 'App', '{}', '' FROM generate_series(1, 99) n",
        [organization.id],
      );
      expect((await register(organization)).status).toBe(201);
      expect((await register(organization)).status).toBe(409);
    });

    it('are seen and disabled by operators, which the trail of the organization tells', async () => {
      const operator = await signUpOperator(app);
      const party = await partyOf(acme);
      const path = `${SATELLITES}/${party.clientId}`;
      const { body } = await app.get(path, operator.token);
      expect(body).toMatchObject({ tenantId: acme.id });
      const tokens = await party.signIn(acme.owner.token, { scope: 'openid' });
      expect((await app.call('POST', `${path}/disable`, undefined, { token: operator.token })).status).toBe(
        200,
      );
      await refused(tokens.access_token);
      const trail = await acme.call('GET', `/audit-events?subject=iam/clients/${String(body['id'])}`);
      expect(itemsOf<{ action: string }>(trail)[0]).toMatchObject({ action: 'client.disabled' });
    });
  });

  describe('sign in', () => {
    it('members, with the organization and their roles in the tokens, whatever the scopes', async () => {
      // A token without an organization, and one of another: the client has its own.
      const member = await acme.join('member');
      const ofGlobex = await globex.admit(member.person, 'admin');
      for (const token of [member.person.token, ofGlobex]) {
        const tokens = await grafana.signIn(token, { scope: 'openid' }, { tenantId: globex.id });
        expect(tokens.claims()).toMatchObject({ tid: acme.id, roles: ['member'] });
        expect(decodeJwt(tokens.access_token)).toMatchObject({ tid: acme.id, scope: 'openid' });
      }
      const tokens = await grafana.signIn(member.token, { scope: 'openid tenant' });
      const subject = String(tokens.claims()?.sub);
      expect(await fetchUserInfo(grafana.config, tokens.access_token, subject)).toEqual({
        sub: subject,
        tid: acme.id,
        roles: ['member'],
      });
      expect(subject).not.toBe(member.person.id);
      await acme.call('PATCH', `/members/${member.person.id}`, { roles: ['admin'] });
      const next = await refreshTokenGrant(grafana.config, String(tokens.refresh_token));
      expect(next.claims()).toMatchObject({ roles: ['admin'] });
    });

    it('with the groups that directories of the organization say, and no others', async () => {
      const { person, token } = await acme.join('member');
      await globex.admit(person, 'member');
      for (const [organization, group] of [
        [acme, 'Operations'],
        [acme, 'Accounting'],
        [globex, 'Secret'],
      ] as const) {
        const { body } = await organization.call('POST', '/directories', { name: 'Entra ID' });
        await app.sql(
          `WITH u AS (INSERT INTO directory_users (tenant_id, directory_id, id, user_name_key, attributes, account_id, state) VALUES ($1, $2, $3, 'x', '{}', $3, 'linked')),
             g AS (INSERT INTO directory_groups (tenant_id, directory_id, id, display_name_key, attributes) VALUES ($1, $2, $3, 'x', jsonb_build_object('displayName', $4::text)))
           INSERT INTO directory_group_members (tenant_id, directory_id, group_id, user_id) VALUES ($1, $2, $3, $3)`,
          [organization.id, body['id'], person.id, group],
        );
      }
      const tokens = await grafana.signIn(token, { scope: 'openid' });
      expect(tokens.claims()).toMatchObject({ groups: ['Accounting', 'Operations'] });
      const shared = await RelyingParty.register(app);
      const others = await shared.signIn(token, { scope: 'openid tenant' });
      expect(others.claims()).not.toHaveProperty('groups');
    });

    it('no other person: neither by a page, nor silently, nor by the id of their own organization', async () => {
      const outsider = globex.owner;
      for (const scope of ['openid', 'openid tenant']) {
        const request = await grafana.request({ scope });
        for (const body of [{}, { tenantId: globex.id }, { tenantId: acme.id }])
          expect(await grafana.approve(request.id, outsider.token, body)).toMatchObject(NOT_A_MEMBER);
      }
      const first = await grafana.request({ scope: 'openid', prompt: 'none' });
      const asked = await grafana.approve(first.id, outsider.token);
      expect(errorOf(asked.body['redirectTo'])).toBe('consent_required');
      await app.sql("INSERT INTO oidc_consents (account_id, client_id, scopes) VALUES ($1, $2, '{openid}')", [
        outsider.person.id,
        grafana.clientId,
      ]);
      const silent = await grafana.request({ scope: 'openid', prompt: 'none' });
      const { body } = await grafana.approve(silent.id, outsider.token);
      expect(errorOf(body['redirectTo'])).toBe('access_denied');
    });

    it('on devices members alone', async () => {
      const start = async () =>
        (await grafana.post('/oauth2/device_authorization', { scope: 'openid' })).body;
      const approve = (userCode: unknown, token: string) =>
        app.call('POST', '/api/v1/iam/auth/devices/approve', { userCode }, { token });
      const { user_code: code, device_code: deviceCode } = await start();
      expect(await approve(code, globex.owner.token)).toMatchObject(NOT_A_MEMBER);
      expect((await approve(code, acme.owner.person.token)).status).toBe(204);
      const form = { grant_type: DEVICE_CODE, device_code: String(deviceCode) };
      const { body } = await grafana.post('/oauth2/token', form);
      expect(decodeJwt(String(body['access_token']))).toMatchObject({ tid: acme.id });
    });

    it('members no longer once they have left, also after they have joined again', async () => {
      const { person, token } = await acme.join('member');
      const tokens = await grafana.signIn(token, { scope: 'openid' });
      const refresh = () => refreshTokenGrant(grafana.config, String(tokens.refresh_token));
      const introspect = (kind: 'access_token' | 'refresh_token') =>
        grafana.post('/oauth2/introspect', { token: String(tokens[kind]) });
      for (const kind of ['access_token', 'refresh_token'] as const)
        expect((await introspect(kind)).body).toMatchObject({ active: true });
      const request = await grafana.request({ scope: 'openid' });
      const approved = await grafana.approve(request.id, token);
      expect((await remove(acme, person)).status).toBe(204);
      await refused(tokens.access_token);
      for (const kind of ['access_token', 'refresh_token'] as const)
        expect((await introspect(kind)).body).toEqual({ active: false });
      await expect(refresh()).rejects.toMatchObject({ error: 'invalid_grant' });
      await expect(grafana.redeem(String(approved.body['redirectTo']), request)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      await acme.admit(person, 'member');
      await expect(refresh()).rejects.toMatchObject({ error: 'invalid_grant' });
    });

    it('without the organization for a code of a person who left before its exchange at a shared client', async () => {
      const shared = await RelyingParty.register(app);
      const { person, token } = await acme.join('member');
      const redeem = async (leave: () => Promise<unknown>) => {
        const request = await shared.request({ scope: 'openid tenant' });
        const approved = await shared.approve(request.id, token, { tenantId: acme.id });
        await leave();
        return shared.redeem(String(approved.body['redirectTo']), request);
      };
      const before = await redeem(async () => undefined);
      expect(decodeJwt(before.access_token)).toMatchObject({ tid: acme.id });
      const after = await redeem(() => remove(acme, person));
      expect(decodeJwt(after.access_token)).not.toHaveProperty('tid');
      await acme.admit(person, 'member');
      const next = await refreshTokenGrant(shared.config, String(after.refresh_token));
      expect(decodeJwt(next.access_token)).not.toHaveProperty('tid');
    });

    it('members under the sign-in policy of the organization', async () => {
      const organization = await Organization.found(app);
      const party = await partyOf(organization);
      const { person, token } = await organization.join('member');
      const tokens = await party.signIn(token, { scope: 'openid' });
      await requireSecondFactor(organization);
      const approve = async () => {
        const { id } = await party.request({ scope: 'openid' });
        return party.approve(id, person.token);
      };
      await eventually('the policy is in force', async () => (await approve()).status !== 200);
      expect(await approve()).toMatchObject({
        status: 401,
        body: { type: '/errors/insufficient-user-authentication' },
      });
      const refreshToken = String(tokens.refresh_token);
      expect((await party.post('/oauth2/introspect', { token: refreshToken })).body).toEqual({
        active: false,
      });
      await expect(refreshTokenGrant(party.config, refreshToken)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    });

    it.each([
      [
        'the person has left',
        async (organization: Organization, person: Person) =>
          expect((await remove(organization, person)).status).toBe(204),
      ],
      ['the policy refuses the sign-in', (organization: Organization) => requireSecondFactor(organization)],
      ['it is archived', (organization: Organization) => archive(organization)],
    ])(
      'at a public client no longer once %s, which rotates nothing and ends no session',
      async (_, refuse) => {
        const organization = await Organization.found(app);
        const redirectUri = 'http://127.0.0.1/callback';
        const { body } = await register(organization, { type: 'public', redirectUris: [redirectUri] });
        const client = { clientId: String(body['clientId']), clientSecret: '', redirectUri };
        const party = await RelyingParty.of(app, client, None());
        const { person, token } = await organization.join('member');
        const { refresh_token: refreshToken = '' } = await party.signIn(token, { scope: 'openid' });
        const { refresh_token: current = '' } = await refreshTokenGrant(party.config, refreshToken);
        await refuse(organization, person);
        const form = { grant_type: 'refresh_token', refresh_token: current, client_id: party.clientId };
        const refused = { status: 400, body: { error: 'invalid_grant' } };
        const grants = () =>
          app.sql<{ generation: number }>('SELECT generation FROM grants WHERE client_id = $1', [
            party.clientId,
          ]);
        const approve = async () => {
          const { id } = await party.request({ scope: 'openid' });
          return party.approve(id, person.token);
        };
        await eventually('the refusal is in force', async () => (await approve()).status !== 200);
        const before = await grants();
        expect(await party.post('/oauth2/token', form, null)).toMatchObject(refused);
        expect(await grants()).toEqual(before);
        // After the retry window, the same token again would be reuse, had it been rotated.
        await ageSession(app, person.sessionId, 60);
        expect(await party.post('/oauth2/token', form, null)).toMatchObject(refused);
        expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(200);
        // A token that has been rotated is still a theft.
        const stolen = { ...form, refresh_token: refreshToken };
        expect(await party.post('/oauth2/token', stolen, null)).toMatchObject(refused);
        expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
      },
    );

    it('no person whose membership ends while the tokens are issued', async () => {
      const organization = await Organization.found(app);
      const party = await partyOf(organization);
      const { person, token } = await organization.join('member');
      const request = await party.request();
      const { body } = await party.approve(request.id, token);
      expect((await remove(organization, person)).status).toBe(204);
      // As if the check had come before the end.
      const admits = jest.spyOn(TenantAdmission.prototype, 'admits').mockResolvedValue(true);
      const redeemed = party.redeem(String(body['redirectTo']), request);
      await expect(redeemed).rejects.toMatchObject({ error: 'invalid_grant' });
      admits.mockRestore();
    });

    it('no person any more once the deletion of the organization has started', async () => {
      const organization = await Organization.found(app);
      const party = await partyOf(organization);
      const { refresh_token: token = '' } = await party.signIn(organization.owner.token);
      const refresh = () =>
        party.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token: token });
      expect((await refresh()).status).toBe(200);
      await startDeletion(app, organization.id);
      await eventually('the refresh is refused', async () => (await refresh()).status === 400, 10_000);
    });

    it('no person whose code or device was approved before the organization refuses them', async () => {
      const organization = await Organization.found(app);
      const party = await partyOf(organization, { grantTypes: ['authorization_code', DEVICE_CODE] });
      const { token } = organization.owner;
      const request = await party.request({ scope: 'openid' });
      const { body: approved } = await party.approve(request.id, token);
      const device = (await party.post('/oauth2/device_authorization', { scope: 'openid' })).body;
      const userCode = device['user_code'];
      await app.call('POST', '/api/v1/iam/auth/devices/approve', { userCode }, { token });
      await archive(organization);
      await expect(party.redeem(String(approved['redirectTo']), request)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      const form = { grant_type: DEVICE_CODE, device_code: String(device['device_code']) };
      expect(await party.post('/oauth2/token', form)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
      const grants = await app.sql<{ ended: boolean }>(
        'SELECT ended_at IS NOT NULL AS ended FROM grants WHERE client_id = $1',
        [party.clientId],
      );
      expect(grants).toEqual([{ ended: true }, { ended: true }]);
    });

    it('no person while it is archived, and says so: by no page, silently, on no device', async () => {
      const organization = await Organization.found(app);
      const grantTypes = ['authorization_code', 'refresh_token', DEVICE_CODE];
      const party = await partyOf(organization, { grantTypes });
      const { token } = organization.owner;
      const tokens = await party.signIn(token, { scope: 'openid' });
      const waiting = await party.request({ scope: 'openid' });
      const { body: approved } = await party.approve(waiting.id, token);
      const request = await party.request({ scope: 'openid' });
      const silent = await party.request({ scope: 'openid', prompt: 'none' });
      const device = await party.post('/oauth2/device_authorization', { scope: 'openid' });
      await archive(organization);
      const archived = {
        status: 403,
        body: { code: 'state_forbids', detail: 'The organization is archived. Restore it first.' },
      };
      expect(await party.approve(request.id, token)).toMatchObject(archived);
      const approveDevice = { userCode: device.body['user_code'] };
      expect(
        await app.call('POST', '/api/v1/iam/auth/devices/approve', approveDevice, { token }),
      ).toMatchObject(archived);
      const { body } = await party.approve(silent.id, token);
      expect(errorOf(body['redirectTo'])).toBe('access_denied');
      await expect(party.redeem(String(approved['redirectTo']), waiting)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      const refreshToken = String(tokens.refresh_token);
      const introspected = await party.post('/oauth2/introspect', { token: refreshToken });
      expect(introspected.body).toEqual({ active: false });
      await expect(refreshTokenGrant(party.config, refreshToken)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      expect((await organization.call('POST', '/restore')).status).toBe(200);
      expect((await refreshTokenGrant(party.config, refreshToken)).claims()).toMatchObject({
        tid: organization.id,
      });
    });

    it('not by the codes and refreshes of satellites, which know no organization', async () => {
      const { clientId, clientSecret } = grafana;
      const { codeChallenge } = pkce();
      const query = new URLSearchParams({ clientId, redirectUri: REDIRECT_URI });
      expect((await app.get(`/api/v1/iam/auth/satellite/request?${query}`)).status).toBe(400);
      const code = { clientId, redirectUri: REDIRECT_URI, codeChallenge };
      expect((await app.post('satellite/code', code, { token: acme.owner.token })).status).toBe(400);
      const tokens = await grafana.signIn(acme.owner.token, { scope: 'openid' });
      const refreshToken = String(tokens.refresh_token);
      expect(await app.post('refresh', { refreshToken, clientId, clientSecret })).toMatchObject({
        status: 401,
        body: { type: '/errors/invalid-client' },
      });
      expect((await refreshTokenGrant(grafana.config, refreshToken)).access_token).toBeDefined();
    });

    it('with an identifier of their own, also beside clients of the same host', async () => {
      const { person } = await acme.join('member');
      await globex.admit(person, 'member');
      const parties = [grafana, await partyOf(acme), await partyOf(globex)];
      const subjects = await Promise.all(
        parties.map(async (party) => (await party.signIn(person.token, { scope: 'openid' })).claims()?.sub),
      );
      expect(new Set(subjects).size).toBe(3);
    });

    it('with the permissions of the organization that were asked for', async () => {
      const party = await partyOf(acme, { scopes: ['iam:member:read'] });
      const both = await globex.admit(acme.owner.person, 'admin');
      const { access_token: token } = await party.signIn(both, { scope: 'openid iam:member:read' });
      expect((await acme.call('GET', '/members', undefined, token)).status).toBe(200);
      expect((await globex.call('GET', '/members', undefined, token)).status).toBe(404);
      expect((await acme.call('GET', '/clients', undefined, token)).status).toBe(403);
    });

    it('no person once they are deleted: tokens, refreshes, codes and consents end', async () => {
      const party = await partyOf(acme);
      const tokens = await party.signIn(acme.owner.token, { scope: 'openid' });
      expect((await app.get('/oauth2/userinfo', tokens.access_token)).status).toBe(200);
      const waiting = await party.request({ scope: 'openid' });
      expect((await acme.call('DELETE', `/clients/${party.clientId}`)).status).toBe(204);
      await refused(tokens.access_token);
      const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
      expect(await party.post('/oauth2/token', form)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      expect((await party.approve(waiting.id, acme.owner.token)).status).toBe(404);
      await expect(party.request()).rejects.toThrow('400');
      expect(await app.sql('SELECT 1 FROM oidc_consents WHERE client_id = $1', [party.clientId])).toEqual([]);
    });
  });
});
