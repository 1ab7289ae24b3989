import { refreshTokenGrant } from 'openid-client';
import { inTurnBehind } from '../../support/locks.js';
import { Organization } from '../../support/organization.js';
import { RelyingParty, type RelyingPartyTokens } from '../../support/relying-party.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const REDIRECT_URI = 'https://grafana.example/callback';
const MINE = '/api/v1/iam/me/authorized-apps';

describe('Consent to clients of an organization', () => {
  let acme: Organization;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
  });

  const register = async (data: object = {}): Promise<RelyingParty> => {
    const client = { name: 'Dashboards', redirectUris: [REDIRECT_URI], ...data };
    const { body } = await acme.call('POST', '/clients', client);
    const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
    return RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT_URI });
  };
  const pathOf = ({ clientId }: RelyingParty): string => `/clients/${clientId}/consent`;
  const asks = async (party: RelyingParty, token: string, scope = 'openid email'): Promise<unknown> => {
    const { id } = await party.request({ scope });
    return (await party.read(id, token)).body['needsConsent'];
  };
  /** Signs in without a page. @returns the error that the client gets */
  const errorOfSilent = async (party: RelyingParty, token: string): Promise<string | null> => {
    const { id } = await party.request({ scope: 'openid email', prompt: 'none' });
    const { body } = await party.approve(id, token);
    return new URL(String(body['redirectTo'])).searchParams.get('error');
  };
  const refresh = (party: RelyingParty, { refresh_token: token }: RelyingPartyTokens) =>
    refreshTokenGrant(party.config, String(token));

  it('of a member is remembered for the same scopes, and for fewer', async () => {
    const party = await register();
    const { token } = await acme.join('member');
    expect(await asks(party, token)).toBe(true);
    await party.signIn(token, { scope: 'openid email' });
    for (const scope of ['openid email', 'openid']) expect(await asks(party, token, scope)).toBe(false);
    expect(await asks(party, token, 'openid email profile')).toBe(true);
  });

  it('of an administrator spares all members the question, and the trail says who gave it', async () => {
    const party = await register();
    const admin = await acme.join('admin');
    const { person, token } = await acme.join('member');
    expect((await acme.call('GET', pathOf(party))).body).toEqual({
      state: 'none',
      scopes: ['openid', 'profile', 'email', 'tenant', 'offline_access'],
      apis: [],
    });
    const given = await acme.call('PUT', pathOf(party), undefined, admin.token);
    expect(given).toMatchObject({ status: 200, body: { state: 'given' } });
    const { body } = await acme.call('GET', `/clients/${party.clientId}`);
    expect(body).toMatchObject({ memberConsent: true });
    expect(await asks(party, token)).toBe(false);
    expect(await errorOfSilent(party, token)).toBe(null);
    const trail = await acme.call('GET', `/audit-events?subject=iam/clients/${String(body['id'])}`);
    expect(itemsOf(trail)[0]).toMatchObject({ action: 'client.consented', actorId: admin.person.id });
    expect(itemsOf(await app.get(MINE, person.token))).toEqual([
      expect.objectContaining({
        clientId: party.clientId,
        memberConsent: true,
        scopes: ['email', 'offline_access', 'openid', 'profile', 'tenant'],
      }),
    ]);
  });

  it('of an administrator covers neither outsiders nor what the client can ask for later', async () => {
    const party = await register();
    const { token } = await acme.join('member');
    const other = await Organization.found(app);
    await acme.call('PUT', pathOf(party));
    expect(await errorOfSilent(party, other.owner.token)).toBe('access_denied');
    await acme.call('PATCH', `/clients/${party.clientId}`, { scopes: ['iam:member:read'] });
    expect((await acme.call('GET', pathOf(party))).body).toMatchObject({ state: 'partial' });
    expect(await asks(party, token, 'openid iam:member:read')).toBe(true);
    expect(await asks(party, token)).toBe(false);
    await acme.call('PUT', pathOf(party));
    expect(await asks(party, token, 'openid iam:member:read')).toBe(false);
  });

  describe('by who does not hold what the client may do', () => {
    const REFUSED = { status: 403, body: { detail: expect.stringContaining('permissions that you do not') } };
    const scopes = ['iam:client:read', 'iam:client:create', 'iam:client:update', 'iam:client:rotate-secret'];
    let deputy: Awaited<ReturnType<Organization['join']>>;
    beforeAll(async () => {
      await acme.call('POST', '/roles', { key: 'deputy', name: 'Deputy', scopes });
      deputy = await acme.join('deputy');
    });
    const registered = async (byWhom: string, data: object = {}): Promise<RelyingParty> => {
      const client = { name: 'Trap', redirectUris: [REDIRECT_URI], ...data };
      const { status, body } = await acme.call('POST', '/clients', client, byWhom);
      expect(status).toBe(201);
      const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
      return RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT_URI });
    };

    it('is refused: an owner who follows a link would sign in to it unseen', async () => {
      const trap = await registered(deputy.token, { scopes: ['iam:invitation:create'] });
      expect(await acme.call('PUT', pathOf(trap), undefined, deputy.token)).toMatchObject(REFUSED);
      expect(await asks(trap, acme.owner.token, 'openid iam:invitation:create')).toBe(true);
      const harmless = await registered(deputy.token, { scopes: ['iam:client:read'] });
      expect((await acme.call('PUT', pathOf(harmless), undefined, deputy.token)).status).toBe(200);
    });

    it('leaves its addresses, keys and secret as they are', async () => {
      const party = await registered(acme.owner.token, { scopes: ['iam:invitation:create'] });
      const path = `/clients/${party.clientId}`;
      expect((await acme.call('PUT', pathOf(party))).status).toBe(200);
      const redirectUris = ['https://attacker.example/callback'];
      const change = (by?: string) => acme.call('PATCH', path, { redirectUris }, by);
      const rotate = (by?: string) => acme.call('POST', `${path}/rotate-secret`, undefined, by);
      expect(await change(deputy.token)).toMatchObject(REFUSED);
      expect(await rotate(deputy.token)).toMatchObject(REFUSED);
      // Scopes that are taken back later stay consented to.
      await acme.call('PATCH', path, { scopes: [] });
      expect(await change(deputy.token)).toMatchObject(REFUSED);
      expect([(await rotate()).status, (await change()).status]).toEqual([200, 200]);
      const own = await registered(deputy.token);
      expect(
        (await acme.call('PATCH', `/clients/${own.clientId}`, { redirectUris }, deputy.token)).status,
      ).toBe(200);
    });
  });

  it('of an administrator covers the APIs that the client reaches', async () => {
    const party = await register();
    const { token } = await acme.join('member');
    const api = { identifier: 'https://orders.example.com/api', name: 'Orders' };
    const scopes = [{ name: 'orders:read', title: 'Read orders' }];
    const { body } = await acme.call('POST', '/apis', { ...api, scopes });
    const reach = `/clients/${party.clientId}/apis/${String(body['id'])}`;
    await acme.call('PUT', reach, { scopes: ['orders:read'] });
    expect((await acme.call('PUT', pathOf(party))).body).toMatchObject({ apis: [{ ...api, scopes }] });
    const resource = { resource: api.identifier };
    const { id } = await party.request({ scope: 'openid orders:read', ...resource });
    expect((await party.read(id, token)).body).toMatchObject({ needsConsent: false });
    // At a refresh, the client may choose the API to which the organization has consented.
    const tokens = await party.signIn(token, { scope: 'openid' });
    const ofApi = await refreshTokenGrant(party.config, String(tokens.refresh_token), resource);
    expect(ofApi.scope).toBe('orders:read');
  });

  it('of an administrator asks again with prompt=consent', async () => {
    const party = await register();
    const { token } = await acme.join('member');
    await acme.call('PUT', pathOf(party));
    const { id } = await party.request({ scope: 'openid', prompt: 'consent' });
    expect((await party.read(id, token)).body).toMatchObject({ needsConsent: true });
  });

  it('of an administrator is withdrawn: tokens are not renewed, except for members who consented', async () => {
    const party = await register();
    const asked = await acme.join('member');
    const spared = await acme.join('member');
    const own = await party.signIn(asked.token, { scope: 'openid email' });
    await acme.call('PUT', pathOf(party));
    const tokens = await party.signIn(spared.token, { scope: 'openid email' });
    const waiting = await party.request({ scope: 'openid email' });
    const approved = await party.approve(waiting.id, spared.token);
    expect((await acme.call('DELETE', pathOf(party))).status).toBe(204);
    await expect(party.redeem(String(approved.body['redirectTo']), waiting)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const introspect = async ({ refresh_token: token }: RelyingPartyTokens) =>
      (await party.post('/oauth2/introspect', { token: String(token) })).body['active'];
    expect([await introspect(tokens), await introspect(own)]).toEqual([false, true]);
    await expect(refresh(party, tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await refresh(party, own)).access_token).toBeDefined();
    expect(await errorOfSilent(party, spared.token)).toBe('consent_required');
    expect(await errorOfSilent(party, asked.token)).toBe(null);
    expect(itemsOf(await app.get(MINE, spared.person.token))).toEqual([]);
    const { body } = await acme.call('GET', `/clients/${party.clientId}`);
    const subject = `/audit-events?subject=iam/clients/${String(body['id'])}`;
    const actions = async () =>
      itemsOf<{ action: string }>(await acme.call('GET', subject)).map(({ action }) => action);
    const before = await actions();
    expect(before[0]).toBe('client.consent-withdrawn');
    expect((await acme.call('DELETE', pathOf(party))).status).toBe(204);
    expect(await actions()).toEqual(before);
  });

  it('of an administrator that a member does not want ends tokens, and is used at the next sign-in', async () => {
    const party = await register();
    const { person, token } = await acme.join('member');
    await acme.call('PUT', pathOf(party));
    const tokens = await party.signIn(token, { scope: 'openid email' });
    expect((await app.call('DELETE', `${MINE}/${party.clientId}`, undefined, person)).status).toBe(204);
    await expect(refresh(party, tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await asks(party, token)).toBe(false);
  });

  it('that is withdrawn at this moment lets no sign-in through', async () => {
    const party = await register();
    const { token } = await acme.join('member');
    await acme.call('PUT', pathOf(party));
    const { id } = await party.request({ scope: 'openid email', prompt: 'none' });
    const withdrawal = "UPDATE satellites SET consented_scopes = '{}' WHERE client_id = $1";
    const [{ body }] = await inTurnBehind(app, [withdrawal, party.clientId], () => party.approve(id, token));
    expect(new URL(String(body['redirectTo'])).searchParams.get('error')).toBe('consent_required');
  });

  it('is given and withdrawn by those who may change clients, of the own organization', async () => {
    const party = await register();
    const member = await acme.join('member');
    const other = await Organization.found(app);
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      expect((await acme.call(method, pathOf(party), undefined, member.token)).status).toBe(403);
      expect((await other.call(method, pathOf(party))).status).toBe(404);
    }
    expect(await asks(party, member.token)).toBe(true);
  });
});
