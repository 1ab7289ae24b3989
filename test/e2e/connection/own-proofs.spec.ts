import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { OperatorService, PeopleImport } from '../../../src/iam/index.js';
import { OtherConnectionsNotice } from '../../../src/iam/organizations/sign-in-policy/other-connections-notice.js';
import type { TenantId } from '../../../src/kernel/index.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { login, TestPasskey, TestTotp } from '../../support/factors.js';
import { HostedApp } from '../../support/hosted.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { type Answer, eventually, itemsOf, tokenIn as tokenOfMail, withApp } from '../../support/test-app.js';

/** The refusal of a session that only a connection stands behind. */
const OWN_PROOF = (...methods: string[]) => ({
  status: 401,
  body: {
    type: '/errors/insufficient-user-authentication',
    code: 'authentication_insufficient',
    missing: ['own_proof'],
    methods,
  },
});
const ME = '/api/v1/iam/me';
const RETURN_URI = 'https://shop.example/signed-in';

/**
 * Attack F1: the administrator of the provider of organization A says that he is a person who has
 * signed in by it once. Each session here is his.
 */
describe('A session that only the connection of an organization stands behind', () => {
  const lab = new SamlStandIn();
  let a: Organization;
  let ofA: LabConnection;
  const app = withApp({ PORTAL: 'off', RETURN_URIS: RETURN_URI });
  beforeAll(async () => {
    a = await Organization.found(app);
    ofA = await LabConnection.active(a, samlSettings(lab));
    await ofA.call('PATCH', '', { provisioning: { justInTime: true } });
  });

  const signIn = async (subject: string, connection = ofA) => {
    const words = { attributes: { email: `${subject}@${connection.domain}` } };
    const { fragment } = await connection.bring(lab.answer(await connection.start(), subject, { words }));
    return fragment;
  };
  const tokenOf = async (subject: string, connection = ofA) => {
    const { access_token: token } = await signIn(subject, connection);
    if (token === undefined) throw new Error(JSON.stringify(await signIn(subject, connection)));
    return token;
  };
  const link = (person: Person, subject: string, connection = ofA) =>
    app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'saml', $3, $4, $5)`,
      [ulid(), person.id, connection.id, lab.issuer, subject],
    );
  const enter = ({ id: tenantId }: Organization, token: string) =>
    app.post('select-tenant', { tenantId }, { token });
  const changeAddress = (token: string) =>
    app.call('PUT', `${ME}/email`, { email: `thief@${ulid().toLowerCase()}.example` }, { token });
  const tokenIn = ({ body }: Answer) => String(body['accessToken']);

  /**
   * A member of A, with an address, a password and their own organization. The identity of
   * one who has left signs in to another account: connection-authority.spec.ts.
   */
  const memberWithOwn = async () => {
    const person = await Person.signUp(app);
    await a.admit(person, 'member');
    const subject = ulid().toLowerCase();
    await link(person, subject);
    return { person, subject, own: await Organization.found(app, person) };
  };
  /** An account that the connection made, which has nothing of its own. */
  const employee = async (connection = ofA) => {
    const subject = ulid().toLowerCase();
    const token = await tokenOf(subject, connection);
    return { subject, token, id: String(decodeJwt(token).sub), email: `${subject}@${connection.domain}` };
  };
  const makeOwner = ({ id: tenantId }: Organization, userId: string) =>
    app.sql(
      `WITH m AS (INSERT INTO members (tenant_id, user_id) VALUES ($1, $2) RETURNING user_id)
       INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT $1, user_id, (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'owner') FROM m`,
      [tenantId, userId],
    );
  const policy = async (organization: Organization, changes: object, token = organization.owner.token) =>
    expect(await organization.call('PUT', '/sign-in-policy', changes, token)).toMatchObject({ status: 200 });

  describe('of a person who has something of their own (F1)', () => {
    it('opens no organization of theirs, and changes no address (a)', async () => {
      const { subject, own } = await memberWithOwn();
      const token = await tokenOf(subject);
      expect(await enter(own, token)).toMatchObject(OWN_PROOF('password'));
      expect(await changeAddress(token)).toMatchObject(OWN_PROOF('password'));
      expect((await app.get(ME, token)).status).toBe(200);
    });

    it('opens the organization of the connection', async () => {
      const { subject } = await memberWithOwn();
      const entered = await enter(a, await tokenOf(subject));
      expect((await app.get(a.path, tokenIn(entered))).status).toBe(200);
    });

    it('accepts no invitation to another organization', async () => {
      const { person, subject } = await memberWithOwn();
      const other = await Organization.found(app);
      const invitation = { email: person.email, roles: ['member'] };
      expect((await other.call('POST', '/invitations', invitation)).status).toBe(201);
      const token = await app.mailedToken(person.email, 3);
      const accept = (as: string) => app.post('accept-invitation', { token }, { token: as });
      expect(await accept(await tokenOf(subject))).toMatchObject(OWN_PROOF('password'));
      expect((await accept(person.token)).status).toBe(200);
    });

    it('leaves no way from the address to a reset and to the organization (b)', async () => {
      const { person, subject, own } = await memberWithOwn();
      await changeAddress(await tokenOf(subject));
      expect(await app.sql('SELECT 1 FROM email_changes WHERE account_id = $1', [person.id])).toEqual([]);
      expect((await login(app, person)).status).toBe(200);
      expect((await enter(own, person.token)).status).toBe(200);
    });

    it('enrols no factor, which would open an organization that requires one (c)', async () => {
      const { person, subject, own } = await memberWithOwn();
      const token = await tokenOf(subject);
      await expect(TestTotp.enrol(app, token)).rejects.toThrow('401');
      await expect(TestPasskey.enrol(app, token)).rejects.toThrow();
      const totp = await TestTotp.enrol(app, person.token);
      const raised = await app.post(
        'step-up',
        { method: 'totp', code: totp.next() },
        { token: person.token },
      );
      await policy(own, { secondFactor: 'required' }, tokenIn(await enter(own, tokenIn(raised))));
      expect(await signIn(subject)).toMatchObject({ error: 'second_factor_required' });
    });

    it('opens no organization that accepts it any more once the person has a second factor', async () => {
      const { person, subject, own } = await memberWithOwn();
      await policy(own, { otherConnections: true });
      const token = await tokenOf(subject);
      await eventually('it is accepted', async () => (await enter(own, token)).status === 200);
      await TestTotp.enrol(app, person.token);
      await eventually('it is refused', async () => (await enter(own, token)).status === 401);
      expect(await enter(own, token)).toMatchObject(OWN_PROOF('totp', 'recovery_code'));
    });

    it('is not prepared by the import of its identity', async () => {
      const subject = ulid().toLowerCase();
      const email = `prepared-${subject}@example.com`;
      const line = {
        externalId: subject,
        email,
        emailVerified: true,
        identities: [{ kind: 'saml', issuer: lab.issuer, subject }],
      };
      const part = Buffer.from(`${JSON.stringify(line)}\n`);
      const importer = { operatorId: null, refusal: null };
      const { signal } = new AbortController();
      await app.app.get(PeopleImport, { strict: false }).runPart(part, false, importer, signal);
      const { sub } = decodeJwt(await tokenOf(subject));
      expect(await app.sql('SELECT email_key FROM accounts WHERE id = $1', [sub])).toEqual([
        { email_key: `${subject}@${ofA.domain}` },
      ]);
    });

    it('is no emergency sign-in where single sign-on is required (d)', async () => {
      const { subject, own } = await memberWithOwn();
      await app.sql(
        `UPDATE tenants SET sign_in_policy = '{"sso":"required","secondFactor":"optional"}' WHERE id = $1`,
        [own.id],
      );
      const token = await tokenOf(subject);
      await expect(TestTotp.enrol(app, token)).rejects.toThrow('401');
      await eventually('single sign-on is required', async () => {
        const { status, body } = await enter(own, token);
        return status === 401 && String(body['methods']) === 'connection';
      });
    });

    it('changes nothing else of the person, and signs in to no client outside (e)', async () => {
      const { subject, own } = await memberWithOwn();
      const token = await tokenOf(subject);
      const client = await RelyingParty.register(app);
      for (const [method, path, body] of [
        ['POST', 'tenants', { name: 'Of an administrator' }],
        ['POST', 'me/recovery-codes', undefined],
        ['POST', 'me/export', undefined],
        ['POST', 'auth/logout-all', undefined],
        ['PATCH', 'me', { firstName: 'Mallory' }],
        ['DELETE', 'me/password', undefined],
        ['DELETE', `me/tenants/${own.id}`, undefined],
        ['DELETE', `me/keys/${ulid()}`, undefined],
        ['DELETE', 'auth/account', undefined],
      ] as const)
        expect([path, await app.call(method, `/api/v1/iam/${path}`, body, { token })]).toMatchObject([
          path,
          OWN_PROOF('password'),
        ]);
      expect(await client.approve((await client.request()).id, token)).toMatchObject(OWN_PROOF('password'));
    });

    it('signs in at no third party, whatever scopes its request is given', async () => {
      const { person, subject } = await memberWithOwn();
      const inA = tokenIn(await enter(a, await tokenOf(subject)));
      const scopes = ['iam:tenant:read'];
      const thirdParty = await RelyingParty.register(app, { firstParty: false, scopes });
      const asked = ['openid email', 'openid email tenant', 'openid iam:tenant:read'];
      for (const scope of asked)
        for (const body of [{}, { tenantId: a.id }]) {
          const { id } = await thirdParty.request({ scope });
          expect(await thirdParty.approve(id, inA, body)).toMatchObject(OWN_PROOF('password'));
        }
      expect(await app.sql('SELECT 1 FROM oidc_consents WHERE account_id = $1', [person.id])).toEqual([]);
      const { person: other } = await memberWithOwn();
      await thirdParty.signIn(other.token, { scope: 'openid tenant' }, { tenantId: a.id });
      // A client of the operator works for the organization, which its tokens name.
      const firstParty = await RelyingParty.register(app, { scopes });
      const silent = await firstParty.request({ scope: 'openid', prompt: 'none' });
      const { body: refused } = await firstParty.approve(silent.id, inA);
      expect(String(refused['redirectTo'])).toContain('error=login_required');
      const tokens = await firstParty.signIn(inA, { scope: 'openid tenant' });
      expect(tokens.claims()).toMatchObject({ tid: a.id });
      expect(decodeJwt(tokens.access_token)).toMatchObject({ tid: a.id, own_proof_missing: true });
      // So does a client of the organization.
      const ofOrganization = await RelyingParty.register(app, {
        firstParty: false,
        tenantId: a.id as TenantId,
      });
      expect((await ofOrganization.signIn(inA, { scope: 'openid' })).claims()).toMatchObject({ tid: a.id });
    });

    it('signs in on no device of a third party', async () => {
      const { subject } = await memberWithOwn();
      const inA = tokenIn(await enter(a, await tokenOf(subject)));
      const grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'] = [
        'urn:ietf:params:oauth:grant-type:device_code',
      ];
      for (const firstParty of [false, true]) {
        const client = await RelyingParty.register(app, { firstParty, grantTypes });
        const { body } = await client.post('/oauth2/device_authorization', { scope: 'openid tenant' });
        const device = { userCode: String(body['user_code']), tenantId: a.id };
        const approved = await app.call('POST', '/api/v1/iam/auth/devices/approve', device, { token: inA });
        expect(approved).toMatchObject(firstParty ? { status: 204 } : OWN_PROOF('password'));
      }
    });

    it('gives satellites and apps a part of the session that opens no more than the session', async () => {
      const { person, subject, own } = await memberWithOwn();
      const token = await tokenOf(subject);
      const satellite = await TestSatellite.withScopes(app, 'iam:tenant:read');
      const shop = new HostedApp(app, RETURN_URI);
      const visit = await satellite.signIn(token);
      expect(decodeJwt(visit.accessToken)).toMatchObject({ tid: a.id, own_proof_missing: true });
      expect((await satellite.refresh(visit.refreshToken, { tenantId: own.id })).status).toBe(403);
      const hosted = await shop.signIn(token);
      expect(await enter(own, hosted.accessToken)).toMatchObject(OWN_PROOF('password'));
      expect(await changeAddress(hosted.accessToken)).toMatchObject(OWN_PROOF('password'));
      expect((await a.call('DELETE', `/members/${person.id}`)).status).toBe(204);
      const { accessToken } = (await app.post('refresh', { refreshToken: hosted.refreshToken })).body;
      expect(await satellite.issue(String(accessToken), pkce().codeChallenge)).toMatchObject({ status: 401 });
      expect(await shop.issue(String(accessToken))).toMatchObject({ status: 401 });
    });

    it('opens everything once the person has confirmed by something of their own', async () => {
      const { person, subject, own } = await memberWithOwn();
      const token = await tokenOf(subject);
      const raised = await app.post('step-up', { method: 'password', password: person.password }, { token });
      expect(raised.status).toBe(200);
      expect((await enter(own, tokenIn(raised))).status).toBe(200);
      expect((await changeAddress(tokenIn(raised))).status).toBe(202);
    });

    it('is not confirmed by the password of a person who has a second factor', async () => {
      const { person, subject, own } = await memberWithOwn();
      const token = await tokenOf(subject);
      const totp = await TestTotp.enrol(app, person.token);
      const byPassword = await app.post(
        'step-up',
        { method: 'password', password: person.password },
        { token },
      );
      expect(await enter(own, tokenIn(byPassword))).toMatchObject(OWN_PROOF('totp', 'recovery_code'));
      const byFactor = await app.post('step-up', { method: 'totp', code: totp.next() }, { token });
      expect((await enter(own, tokenIn(byFactor))).status).toBe(200);
    });
  });

  describe('of a person whom the connection added, and who has nothing of their own', () => {
    it('opens their organization, and what is theirs there', async () => {
      const { subject, token } = await employee();
      const entered = await enter(a, token);
      expect(entered.status).toBe(200);
      expect((await app.get(a.path, tokenIn(entered))).status).toBe(200);
      const other = String(decodeJwt(await tokenOf(subject))['sid']);
      expect(await app.call('DELETE', `${ME}/sessions/${other}`, undefined, { token })).toMatchObject({
        status: 204,
      });
      expect((await app.call('PATCH', ME, { firstName: 'Ada' }, { token })).status).toBe(200);
      expect((await app.post('logout-others', undefined, { token })).status).toBe(204);
    });

    it('names no method where something of their own is needed, and says what to do', async () => {
      const { token } = await employee();
      const refused = await changeAddress(token);
      expect(refused).toMatchObject(OWN_PROOF());
      expect(refused.body['detail']).toContain('set a password by mail');
    });

    it('adds a factor that counts in their organization, in later sessions too, and nowhere else', async () => {
      const { subject, token, id } = await employee();
      const b = await Organization.found(app);
      await makeOwner(b, id);
      const totp = await TestTotp.enrol(app, token);
      const { body } = await app.post('step-up', { method: 'totp', code: totp.next() }, { token });
      const strong = String(body['accessToken']);
      expect(decodeJwt(strong)).toMatchObject({ acr: 'aal2', own_proof_missing: true });
      expect(await enter(b, strong)).toMatchObject(OWN_PROOF());
      expect(await changeAddress(strong)).toMatchObject(OWN_PROOF());
      expect((await enter(a, strong)).status).toBe(200);
      const { error, challenge } = await signIn(subject);
      expect(error).toBe('second_factor_required');
      const later = await app.post('second-factor', {
        challenge,
        method: 'recovery_code',
        code: totp.recoveryCodes[0],
      });
      expect(await enter(b, tokenIn(later))).toMatchObject(OWN_PROOF());
      expect((await enter(a, tokenIn(later))).status).toBe(200);
      await app.sql(
        `UPDATE tenants SET sign_in_policy = '{"sso":"required","secondFactor":"optional"}' WHERE id = $1`,
        [b.id],
      );
      await eventually('single sign-on is required', async () => {
        const { body: refused } = await enter(b, tokenIn(later));
        return String(refused['methods']) === 'connection';
      });
    });

    it('does not count as two factors where connections of others are accepted', async () => {
      const { token, id } = await employee();
      const b = await Organization.found(app);
      const totp = await TestTotp.enrol(app, b.owner.person.token);
      const raised = await app.post(
        'step-up',
        { method: 'totp', code: totp.next() },
        { token: b.owner.token },
      );
      await policy(b, { otherConnections: true }, tokenIn(raised));
      await makeOwner(b, id);
      const own = await TestTotp.enrol(app, token);
      const strong = tokenIn(await app.post('step-up', { method: 'totp', code: own.next() }, { token }));
      await eventually('the policy acts', async () => (await enter(b, strong)).status === 200);
      // Asks for what lifts the refusal: no factor of this session counts here.
      const inB = tokenIn(await enter(b, strong));
      expect(await b.call('PUT', '/sign-in-policy', {}, inB)).toMatchObject(OWN_PROOF());
      const scope = 'iam:sign-in-policy:update';
      const probed = await app.call('POST', '/api/auth/can', { scopes: [scope] }, { token: inB });
      expect(probed.body[scope]).toMatchObject({
        code: 'authentication_insufficient',
        reason: expect.stringContaining('by an organization only'),
      });
      await policy(b, { secondFactor: 'required' }, tokenIn(raised));
      await eventually('the policy acts', async () => (await enter(b, strong)).status === 401);
      expect(await enter(b, strong)).toMatchObject(OWN_PROOF());
      // Without a factor, none would be added that counts here.
      const { token: plain, id: other } = await employee();
      await makeOwner(b, other);
      await eventually('the member enters', async () => (await enter(b, plain)).status === 401);
      expect(await enter(b, plain)).toMatchObject(OWN_PROOF());
    });

    it('cannot lock itself out where connections of others are accepted', async () => {
      const { token, id } = await employee();
      const b = await Organization.found(app);
      await policy(b, { otherConnections: true });
      await makeOwner(b, id);
      await eventually('the policy acts', async () => (await enter(b, token)).status === 200);
      const entered = tokenIn(await enter(b, token));
      await policy(b, { supportAccess: 'on_request' }, entered);
      const closed = await b.call('PUT', '/sign-in-policy', { otherConnections: false }, entered);
      expect(closed.status).toBe(409);
    });

    it('confirms by a code to an address outside the domains of the organization, and to no other', async () => {
      const { token, id } = await employee();
      const mailed = async (email: string) => {
        const options = await app.post('step-up/options', { method: 'email_code' }, { token });
        expect(options.body['methods']).toEqual(['email_code']);
        await eventually('the code arrives', async () => (await codesTo(email)).length > 0);
        return app.post('step-up', { method: 'email_code', code: (await codesTo(email)).at(-1) }, { token });
      };
      const codesTo = async (email: string) =>
        (await app.mails(email, 0)).flatMap((mail) => /\b\d{6}\b/.exec(mail)?.[0] ?? []);
      const [{ email: inside }] = (await app.sql('SELECT email FROM accounts WHERE id = $1', [id])) as [
        { email: string },
      ];
      const byInside = await mailed(inside);
      expect(byInside.status).toBe(200);
      expect(await changeAddress(tokenIn(byInside))).toMatchObject(OWN_PROOF());
      const outside = `${ulid().toLowerCase()}@private.example`;
      await app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [id, outside]);
      expect(await changeAddress(tokenIn(byInside))).toMatchObject(OWN_PROOF('email_code'));
      const byOutside = await mailed(outside);
      expect((await changeAddress(tokenIn(byOutside))).status).toBe(202);
    });

    it('adds a passkey that signs in to nothing without the connection', async () => {
      const { token } = await employee();
      const passkey = await TestPasskey.enrol(app, token);
      expect((await passkey.signIn(app)).status).toBe(401);
    });

    it('adds a factor that a sign-in by password does not ask for, and that is theirs once shown in it', async () => {
      const { token, email } = await employee();
      const totp = await TestTotp.enrol(app, token);
      const places = async (as = token) =>
        itemsOf<{ name: string; countsOnlyIn: object | null }>(await app.get(`${ME}/authenticators`, as)).map(
          ({ countsOnlyIn }) => countsOnlyIn,
        );
      const inA = { tenantId: a.id, name: (await a.call('GET', '')).body['name'] };
      expect(await places()).toEqual([inA]);
      const password = 'a long password of ada';
      await app.post('request-password-reset', { email });
      const linking = async () =>
        (await app.mails(email, 0)).find((mail) => mail.includes('reset-password?'));
      await eventually('the link arrives', async () => (await linking()) !== undefined);
      const mailed = tokenOfMail((await linking()) ?? '');
      expect((await app.post('reset-password', { token: mailed, newPassword: password })).status).toBe(204);
      const signedIn = await app.post('login', { email, password });
      expect(signedIn.status).toBe(200);
      const own = tokenIn(signedIn);
      expect((await changeAddress(own)).status).toBe(202);
      expect((await app.post('step-up', { method: 'totp', code: totp.next() }, { token: own })).status).toBe(
        200,
      );
      expect(await places(own)).toEqual([null]);
      expect((await app.post('login', { email, password })).body['type']).toBe(
        '/errors/second-factor-required',
      );
    });

    it('does not open the console of operators, by a factor that was added in it', async () => {
      const { token, email } = await employee();
      await app.app.get(OperatorService, { strict: false }).grant(email);
      const totp = await TestTotp.enrol(app, token);
      const raised = await app.post('step-up', { method: 'totp', code: totp.next() }, { token });
      expect(await app.get('/api/v1/operator/people', tokenIn(raised))).toMatchObject(OWN_PROOF());
    });
  });

  it('is announced once to owners of organizations that it opens, from before the default changed', async () => {
    const b = await Organization.found(app);
    const { email } = b.owner.person;
    const about = async () =>
      (await app.mails(email, 0)).filter((mail) => mail.includes('/sign-in-policy')).length;
    await app.sql(
      'UPDATE tenants SET other_connections = true, other_connections_told = false WHERE id = $1',
      [b.id],
    );
    const notice = app.app.get(OtherConnectionsNotice, { strict: false });
    await Promise.all([notice.tell(), notice.tell()]);
    await eventually('the owner is told', async () => (await about()) > 0);
    await notice.tell();
    expect(await about()).toBe(1);
    expect((await b.call('GET', '/sign-in-policy')).body).toMatchObject({ otherConnections: true });
    expect((await a.call('GET', '/sign-in-policy')).body).toMatchObject({ otherConnections: false });
  });

  it('is refused alike by the permission check and the command', async () => {
    const { person, subject } = await memberWithOwn();
    const token = await tokenOf(subject);
    const scopes = ['iam:session:end'];
    const subjectOf = `gatehouse:///iam/sessions/${person.sessionId}`;
    const probe = await app.call('POST', '/api/auth/can', { scopes, subject: subjectOf }, { token });
    expect(JSON.stringify(probe.body)).toContain('authentication_insufficient');
    expect(
      await app.call('DELETE', `${ME}/sessions/${person.sessionId}`, undefined, { token }),
    ).toMatchObject(OWN_PROOF('password'));
  });
});
