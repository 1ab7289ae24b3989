import { X509Certificate } from 'node:crypto';
import { newId } from '../../../src/kernel/index.js';
import { LabKey, SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { signedAs } from '../../support/factors.js';
import { behindLock, inTurnBehind } from '../../support/locks.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { type Answer, eventually, itemsOf, withApp } from '../../support/test-app.js';

const SETUP = '/api/v1/iam/setup';
const ABOVE = 'People who hold more than you can sign in by this connection. Ask an owner to change it.';

/** Every field that a change of a connection has. */
const CHANGES = [
  { name: 'Other' },
  { domainIds: [] },
  { settings: { entityId: 'https://thief.example' } },
  { settings: { ssoUrl: 'https://thief.example' } },
  { settings: { sloUrl: 'https://thief.example' } },
  { settings: { certificates: [new LabKey('thief').certificate] } },
  { settings: { metadataUrl: 'https://thief.example/metadata' } },
  { settings: { attributes: { email: 'other' } } },
  { provisioning: { justInTime: true } },
  { idpInitiated: true },
  { trustsSecondFactor: true },
];

interface Link {
  readonly id: string;
  readonly token: string;
}

describe('Who may decide by what people are signed in', () => {
  const lab = new SamlStandIn();
  const thief = new LabKey('thief');
  const app = withApp({ PORTAL: 'off' });

  /** An organization with an active connection that signs no member in yet. */
  const acme = async (domain?: string): Promise<{ acme: Organization; connection: LabConnection }> => {
    const organization = await Organization.found(app);
    return {
      acme: organization,
      connection: await LabConnection.active(organization, samlSettings(lab), domain),
    };
  };
  const link = (person: Person, { id }: LabConnection): Promise<unknown> =>
    app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'saml', $3, $4, $1)`,
      [newId(), person.id, id, lab.issuer],
    );
  const asOf =
    ({ token }: Member, connection: LabConnection) =>
    (method: string, below = '', body?: object): Promise<Answer> =>
      connection.organization.call(method, `/connections/${connection.id}${below}`, body, token);
  const probe = async ({ token }: Member, { id }: LabConnection, ...actions: string[]) => {
    const scopes = actions.map((action) => `iam:connection:${action}`);
    const question = { scopes, subject: `gatehouse:///iam/connections/${id}` };
    const { body } = await app.call('POST', '/api/auth/can', question, { token });
    return scopes.map((scope) => body[scope]);
  };
  const setUp = async (
    of: Organization,
    intents: string[],
    connection?: LabConnection,
    by: Member = of.owner,
  ): Promise<Link> => {
    const given = { intents, ...(connection && { connectionId: connection.id }) };
    const { status, body } = await of.call('POST', '/setup-links', given, by.token);
    expect([status, body]).toEqual([201, expect.anything()]);
    return { id: String(body['id']), token: String(body['url']).split('/').at(-1) ?? '' };
  };
  const use = ({ token }: Link, method: string, below = '', body?: object): Promise<Answer> =>
    app.call(method, `${SETUP}${below}`, body, { token });
  const addByLink = async (by: Link) =>
    (await use(by, 'POST', '/connection/certificates', { certificate: thief.certificate })).status;
  const stateOf = async (of: Organization, { id }: Link): Promise<unknown> =>
    itemsOf<{ id: string; status: string }>(await of.call('GET', '/setup-links')).find((one) => one.id === id)
      ?.status;

  describe('F2: an admin and a connection by which an owner signs in', () => {
    it('changes nothing of it, and the permission check says why', async () => {
      const { acme: organization, connection } = await acme();
      await link(organization.owner.person, connection);
      const admin = await organization.join('admin');
      const call = asOf(admin, connection);
      const before = (await connection.call('GET')).body;
      const certificate = { certificate: thief.certificate };
      const sha256 = (before['certificates'] as unknown as { sha256: string }[])[0]?.sha256 ?? '';
      for (const [method, below, body] of [
        ...CHANGES.map((change) => ['PATCH', '', change] as const),
        ['POST', '/certificates', certificate],
        ['DELETE', `/certificates/${sha256}`, undefined],
        ['POST', '/refresh-metadata', undefined],
        ['PUT', '/rules', { items: [] }],
        ['POST', '/disable', {}],
        ['DELETE', '', undefined],
      ] as const)
        expect({ method, below, body, answer: await call(method, below, body) }).toMatchObject({
          answer: { status: 403, body: { code: 'state_forbids', detail: ABOVE } },
        });
      expect((await connection.call('GET')).body).toEqual(before);
      expect(await probe(admin, connection, 'test', 'update', 'delete')).toMatchObject([
        { allowed: true },
        { allowed: false, code: 'state_forbids', reason: ABOVE },
        { allowed: false, code: 'state_forbids', reason: ABOVE },
      ]);
      expect(await probe(organization.owner, connection, 'update', 'delete')).toMatchObject([
        { allowed: true },
        { allowed: true },
      ]);
    });

    it.each(['disabled', 'draft'])('changes nothing of it while it is %s again', async (status) => {
      const { acme: organization, connection } = await acme();
      await link(organization.owner.person, connection);
      const admin = await organization.join('admin');
      await app.sql('UPDATE connections SET status = $2 WHERE id = $1', [connection.id, status]);
      const call = asOf(admin, connection);
      const { certificate } = thief;
      expect((await call('POST', '/certificates', { certificate })).status).toBe(403);
      expect(await call('POST', '/activate')).toMatchObject({ status: 403, body: { detail: ABOVE } });
      expect(await probe(admin, connection, 'activate')).toMatchObject([{ allowed: false, reason: ABOVE }]);
      expect((await connection.call('POST', '/activate')).status).toBe(200);
    });

    it('is held by an address of a domain, by a suspended owner, and by a rule, as by an identity', async () => {
      const domain = `${newId().toLowerCase()}.example`;
      const owner = await Person.signUp(app, `Ceo@${domain.toUpperCase()}`);
      const first = await Organization.found(app, owner);
      const byDomain = await LabConnection.active(first, samlSettings(lab), domain);
      const { acme: second, connection: ofSuspended } = await acme();
      const other = await second.join('owner');
      await link(other.person, ofSuspended);
      await second.call('POST', `/members/${other.person.id}/suspend`);
      const { acme: third, connection: byRule } = await acme();
      const rule = { attribute: 'groups', operator: 'equals', value: 'Staff', roles: ['owner'] };
      expect((await byRule.call('PUT', '/rules', { items: [rule] })).status).toBe(200);
      const { acme: fourth, connection: byDefault } = await acme();
      await byDefault.call('PATCH', '', { provisioning: { defaultRoles: ['owner'] } });
      for (const [organization, connection] of [
        [first, byDomain],
        [second, ofSuspended],
        [third, byRule],
        [fourth, byDefault],
      ] as const) {
        const admin = await organization.join('admin');
        expect(await asOf(admin, connection)('PATCH', '', { name: 'Other' })).toMatchObject({
          status: 403,
          body: { detail: ABOVE },
        });
      }
    });

    it('changes one that signs in no person above, and activates it', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      await link(admin.person, connection);
      await link((await organization.join('member')).person, connection);
      const call = asOf(admin, connection);
      expect((await call('PATCH', '', { name: 'Other' })).status).toBe(200);
      expect((await call('POST', '/disable', {})).status).toBe(200);
      expect((await call('POST', '/activate')).status).toBe(200);
    });

    it('prepares a draft for an owner, who activates it', async () => {
      const domain = `${newId().toLowerCase()}.example`;
      const owner = await Person.signUp(app, `ceo@${domain}`);
      const organization = await Organization.found(app, owner);
      const admin = await organization.join('admin');
      const connection = await LabConnection.create(organization, samlSettings(lab), domain);
      const call = asOf(admin, connection);
      expect((await call('PATCH', '', { settings: { ssoUrl: 'https://idp.example.com' } })).status).toBe(200);
      await connection.pretendTest();
      expect(await call('POST', '/activate')).toMatchObject({ status: 403, body: { detail: ABOVE } });
      expect((await connection.call('POST', '/activate')).status).toBe(200);
    });

    it('adds no domain to an active connection by which an owner could then sign in', async () => {
      const domain = `${newId().toLowerCase()}.example`;
      const owner = await Person.signUp(app, `ceo@${domain}`);
      const organization = await Organization.found(app, owner);
      const connection = await LabConnection.active(organization, samlSettings(lab));
      const { body } = await organization.call('POST', '/domains', { name: domain });
      const admin = await organization.join('admin');
      const before = (await connection.call('GET')).body['domainIds'] as unknown as string[];
      const domainIds = [...before, String(body['id'])];
      const call = asOf(admin, connection);
      expect(await call('PATCH', '', { domainIds })).toMatchObject({
        status: 403,
        body: { code: 'state_forbids', detail: ABOVE },
      });
      expect((await connection.call('GET')).body['domainIds']).toEqual(before);
      expect((await call('PATCH', '', { domainIds: before })).status).toBe(200);
      expect((await connection.call('PATCH', '', { domainIds })).status).toBe(200);
    });

    it('is refused if the person above is linked while the command waits for its lock', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const [answer] = await inTurnBehind(
        app,
        [
          `WITH locked AS (SELECT id FROM tenants WHERE id = $1 FOR UPDATE)
           INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject)
           SELECT $2, $3, 'saml', $4, $5, $2 FROM locked`,
          organization.id,
          newId(),
          organization.owner.person.id,
          connection.id,
          lab.issuer,
        ],
        () => asOf(admin, connection)('PATCH', '', { name: 'Other' }),
      );
      expect(answer).toMatchObject({ status: 403, body: { detail: ABOVE } });
    });
  });

  describe('F2: a change of a connection in use', () => {
    const fingerprintOf = ({ certificate }: LabKey) =>
      new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
    const { certificate } = thief;
    const sha256 = fingerprintOf(thief);
    const waitingOf = async (connection: LabConnection) =>
      (await connection.call('GET')).body['waiting'] as unknown as {
        readonly id: string;
        readonly kind: string;
      }[];
    const certificatesOf = async (connection: LabConnection) =>
      ((await connection.call('GET')).body['certificates'] as unknown as { sha256: string }[]).map(
        (one) => one.sha256,
      );
    const signIn = async (connection: LabConnection, key: LabKey) => {
      const words = { attributes: { email: `new@${connection.domain}` } };
      const sign = { key: key.privateKey, certificate: key.certificate };
      const { fragment } = await connection.bring(
        lab.answer(await connection.start(), newId(), { words, sign }),
      );
      return fragment['error'];
    };
    const decide = (connection: LabConnection, id: string, token?: string) => ({
      confirm: () =>
        connection.organization.call(
          'POST',
          `/connections/${connection.id}/changes/${id}/confirm`,
          {},
          token,
        ),
      refuse: () =>
        connection.organization.call(
          'DELETE',
          `/connections/${connection.id}/changes/${id}`,
          undefined,
          token,
        ),
    });
    const actionsOf = async (connection: LabConnection): Promise<string[]> =>
      itemsOf<{ action: string }>(
        await connection.organization.call('GET', `/audit-events?subject=iam/connections/${connection.id}`),
      ).map(({ action }) => action);

    it('by an admin waits for an owner, who is mailed with fingerprint and actor', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const { email } = organization.owner.person;
      const { length: mailed } = await app.mails(email);
      const before = await certificatesOf(connection);
      const call = asOf(admin, connection);
      for (let n = 0; n < 2; n++)
        // once is enough
        expect(await call('POST', '/certificates', { certificate })).toMatchObject({
          status: 201,
          body: { sha256, status: 'waiting' },
        });
      expect([await certificatesOf(connection), await signIn(connection, thief)]).toEqual([
        before,
        'invalid_response',
      ]);
      const waiting = await waitingOf(connection);
      expect(waiting).toEqual([
        {
          id: expect.any(String),
          kind: 'certificate',
          sha256: [sha256],
          requestedBy: admin.person.id,
          bySetupLink: false,
          requestedAt: expect.any(String),
          expiresAt: expect.any(String),
        },
      ]);
      const mail = (await app.mails(email, mailed + 1)).at(-1)?.replace(/=\r?\n/g, '');
      expect(mail).toContain(sha256);
      expect(mail).toContain(admin.person.email);
      const id = waiting[0]?.id ?? '';
      for (const decision of Object.values(decide(connection, id, admin.token)))
        expect(await decision()).toMatchObject({
          status: 403,
          body: { code: 'state_forbids', detail: 'Only an owner can confirm or refuse it.' },
        });
      expect(await probe(admin, connection, 'confirm')).toMatchObject([{ allowed: false }]);
      expect(await probe(organization.owner, connection, 'confirm')).toMatchObject([{ allowed: true }]);
      expect((await decide(connection, id).confirm()).status).toBe(200);
      expect(await certificatesOf(connection)).toEqual([...before, sha256]);
      expect([await waitingOf(connection), await signIn(connection, thief)]).toEqual([[], 'not_provisioned']);
      expect((await decide(connection, id).confirm()).status).toBe(404);
      expect((await app.mails(email, mailed + 2)).length).toBe(mailed + 2);
      expect((await actionsOf(connection)).slice(1, 4)).toEqual([
        'connection.change-confirmed',
        'connection.certificate-added',
        'connection.change-requested',
      ]);
    });

    it('applies nothing once it is refused, has expired, or is of another connection', async () => {
      const { acme: organization, connection } = await acme();
      const other = await LabConnection.active(organization, samlSettings(lab));
      const admin = await organization.join('admin');
      const before = await certificatesOf(connection);
      const request = async () => {
        await asOf(admin, connection)('POST', '/certificates', { certificate });
        return (await waitingOf(connection)).at(-1)?.id ?? '';
      };
      const refused = await request();
      expect((await decide(other, refused).confirm()).status).toBe(404);
      expect((await decide(connection, refused).refuse()).status).toBe(204);
      expect((await decide(connection, refused).confirm()).status).toBe(404);
      const expired = await request();
      await app.sql('UPDATE connection_changes SET expires_at = now() WHERE id = $1', [expired]);
      expect((await decide(connection, expired).confirm()).status).toBe(404);
      expect([await waitingOf(connection), await certificatesOf(connection)]).toEqual([[], before]);
      expect((await actionsOf(connection))[1]).toBe('connection.change-refused');
    });

    it.each([
      ['was removed', (of: Organization, id: string) => of.call('DELETE', `/members/${id}`)],
      ['was suspended', (of: Organization, id: string) => of.call('POST', `/members/${id}/suspend`)],
      [
        'has lost the role',
        (of: Organization, id: string) => of.call('PATCH', `/members/${id}`, { roles: ['member'] }),
      ],
      [
        'was suspended by an operator',
        (_: Organization, id: string) =>
          app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [id]),
      ],
      [
        'is below a person who signs in by it now',
        (of: Organization, _: string, connection: LabConnection) => link(of.owner.person, connection),
      ],
    ])('is not confirmed once its requester, or the creator of its link, %s', async (_, end) => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const made = await setUp(organization, ['certificate'], connection, admin);
      expect(await addByLink(made)).toBe(201);
      await asOf(admin, connection)('POST', '/certificates', { certificate });
      const before = await certificatesOf(connection);
      await end(organization, admin.person.id, connection);
      const waiting = await waitingOf(connection);
      expect(waiting.length).toBe(2);
      for (const { id } of waiting) {
        const { status, body } = await decide(connection, id).confirm();
        expect([status, body['detail']]).toEqual([409, expect.stringContaining('can no longer change')]);
      }
      expect(await certificatesOf(connection)).toEqual(before);
      for (const { id } of waiting) expect((await decide(connection, id).refuse()).status).toBe(204);
    });

    it('is decided by an owner with a recent sign-in only', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      await asOf(admin, connection)('POST', '/certificates', { certificate });
      const [{ id } = { id: '' }] = await waitingOf(connection);
      const authTime = new Date(Date.now() - 660_000);
      const old = signedAs(app, organization.owner.token, { authTime, aal2Time: null, phrTime: null });
      for (const decision of Object.values(decide(connection, id, old)))
        expect(await decision()).toMatchObject({
          status: 401,
          body: { code: 'authentication_insufficient' },
        });
      expect((await waitingOf(connection)).length).toBe(1);
    });

    it('is not confirmed once its set-up link was revoked; it is after the link has expired', async () => {
      const { acme: organization, connection } = await acme();
      const made = await setUp(organization, ['certificate'], connection);
      expect(await addByLink(made)).toBe(201);
      const [{ id } = { id: '' }] = await waitingOf(connection);
      await app.sql('UPDATE setup_links SET revoked_at = now() WHERE id = $1', [made.id]);
      expect((await decide(connection, id).confirm()).status).toBe(409);
      const sql = 'UPDATE setup_links SET revoked_at = NULL, expires_at = now() WHERE id = $1';
      await app.sql(sql, [made.id]);
      expect((await decide(connection, id).confirm()).status).toBe(200);
    });

    it('is not confirmed once the settings are of another provider, and can be requested again', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const request = () => asOf(admin, connection)('POST', '/certificates', { certificate });
      await request();
      await connection.call('PATCH', '', { settings: { entityId: 'https://other.example' } });
      await request();
      const [outdated, current] = await waitingOf(connection);
      expect((await decide(connection, outdated?.id ?? '').confirm()).status).toBe(409);
      expect((await decide(connection, current?.id ?? '').confirm()).status).toBe(200);
    });

    it('is confirmed once, and of two settings one, by owners at the same time', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const lock = ['SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', organization.id] as const;
      const confirm = (id?: string) => () => decide(connection, id ?? '').confirm();
      await asOf(admin, connection)('POST', '/certificates', { certificate });
      const [one] = await waitingOf(connection);
      const same = await inTurnBehind(app, lock, confirm(one?.id), confirm(one?.id));
      expect(same.map(({ status }) => status)).toEqual([200, 404]);
      for (const n of [1, 2])
        await asOf(admin, connection)('PATCH', '', { settings: { ssoUrl: `https://idp.example/${n}` } });
      const [first, second] = await waitingOf(connection);
      const both = await inTurnBehind(app, lock, confirm(first?.id), confirm(second?.id));
      expect(both.map(({ status }) => status)).toEqual([200, 409]);
    });

    it('is confirmed while another command has locked the account of its requester', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      await asOf(admin, connection)('POST', '/certificates', { certificate });
      const [{ id } = { id: '' }] = await waitingOf(connection);
      // As an erasure, which locks the account and then its organizations: they must not deadlock.
      const confirmed = await behindLock(
        app,
        ['SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', admin.person.id],
        () => decide(connection, id).confirm(),
      );
      expect(confirmed.status).toBe(200);
    });

    it('of an OpenID client shows its secret to no person, nor in events and mails', async () => {
      const organization = await Organization.found(app);
      const provider = { issuer: 'https://idp.example', clientId: 'app', clientSecret: 'before' };
      const connection = await LabConnection.active(organization, { kind: 'oidc', settings: provider });
      const admin = await organization.join('admin');
      const { email } = organization.owner.person;
      const { length: mailed } = await app.mails(email);
      const clientSecret = `only-for-the-provider-${newId()}`;
      const answers = [
        await asOf(admin, connection)('PATCH', '', { settings: { clientSecret } }),
        await connection.call('GET'),
        await organization.call('GET', '/audit-events'),
      ];
      const rows = await app.sql('SELECT * FROM connection_changes WHERE connection_id = $1', [
        connection.id,
      ]);
      const seen = JSON.stringify([answers, rows, await app.mails(email, mailed + 1)]);
      expect([rows.length, seen.includes(clientSecret)]).toEqual([1, false]);
      const [{ id } = { id: '' }] = await waitingOf(connection);
      const confirmed = await decide(connection, id).confirm();
      expect([confirmed.status, JSON.stringify(confirmed).includes(clientSecret)]).toEqual([200, false]);
    });

    it('of settings waits too, and applies as a draft; not if the settings have changed since', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const settings = { certificates: [certificate], ssoUrl: 'https://other.example/sso' };
      const answer = await asOf(admin, connection)('PATCH', '', { name: 'Renamed', settings });
      expect(answer).toMatchObject({
        status: 200,
        body: {
          name: 'Renamed',
          status: 'active',
          settings: { ssoUrl: lab.entryPoint },
          waiting: [{ kind: 'settings', sha256: [sha256], settings: { ssoUrl: settings.ssoUrl } }],
        },
      });
      const second = { settings: { ssoUrl: 'https://second.example/sso' } };
      const updated = async () =>
        itemsOf(await organization.call('GET', '/audit-events?action=connection.updated')).length;
      const before = await updated();
      await asOf(admin, connection)('PATCH', '', second);
      expect(await updated()).toBe(before); // nothing is changed yet
      const [first, outdated] = await waitingOf(connection);
      expect(await decide(connection, first?.id ?? '').confirm()).toMatchObject({
        status: 200,
        body: { status: 'draft', settings: { ssoUrl: settings.ssoUrl }, certificates: [{ sha256 }] },
      });
      expect((await decide(connection, outdated?.id ?? '').confirm()).status).toBe(409);
      expect((await waitingOf(connection)).length).toBe(1);
    });

    it('does not wait while it is a draft that was never active, nor by an owner, who is mailed', async () => {
      const organization = await Organization.found(app);
      const draft = await LabConnection.create(organization, samlSettings(lab));
      const admin = await organization.join('admin');
      expect(await asOf(admin, draft)('POST', '/certificates', { certificate })).toMatchObject({
        body: { status: 'accepted' },
      });
      const { connection } = await acme();
      const { email } = connection.organization.owner.person;
      const { length: mailed } = await app.mails(email);
      expect((await connection.call('POST', '/certificates', { certificate })).body).toMatchObject({
        status: 'accepted',
      });
      expect((await app.mails(email, mailed + 1)).at(-1)?.replace(/=\r?\n/g, '')).toContain(sha256);
    });

    it.each(['disabled', 'draft'])('waits while it is %s again', async (status) => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      await app.sql('UPDATE connections SET status = $2 WHERE id = $1', [connection.id, status]);
      const { body } = await asOf(admin, connection)('POST', '/certificates', { certificate });
      expect(body['status']).toBe('waiting');
    });

    it('by a set-up link of an owner waits; a certificate is removed by it at once', async () => {
      const { acme: organization, connection } = await acme();
      const told = (what: string) =>
        eventually('the owner is told by whom', async () =>
          (await app.mails(organization.owner.person.email, 0)).some((mail) => {
            const text = mail.replaceAll(/=\r?\n/g, '');
            return (
              text.includes(`${what} certificate (SHA-256): ${sha256}`) && text.includes('By: a set-up link')
            );
          }),
        );
      const made = await setUp(organization, ['sso', 'certificate'], connection);
      expect(await use(made, 'POST', '/connection/certificates', { certificate })).toMatchObject({
        status: 201,
        body: { sha256, status: 'waiting' },
      });
      await told('New');
      const settings = { ssoUrl: 'https://thief.example/sso' };
      expect(await use(made, 'PATCH', '/connection', { settings })).toMatchObject({
        status: 200,
        body: { status: 'active', settings: { ssoUrl: lab.entryPoint } },
      });
      const [first, second] = await waitingOf(connection);
      expect([first, second]).toMatchObject([
        { kind: 'certificate', requestedBy: made.id, bySetupLink: true },
        { kind: 'settings', requestedBy: made.id, bySetupLink: true },
      ]);
      expect(await signIn(connection, thief)).toBe('invalid_response');
      expect((await decide(connection, first?.id ?? '').confirm()).status).toBe(200);
      expect((await use(made, 'DELETE', `/connection/certificates/${sha256}`)).status).toBe(204);
      await told('Removed');
      expect(await signIn(connection, thief)).toBe('invalid_response');
    });

    it('is bounded in number', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const request = (n: number) =>
        asOf(admin, connection)('PATCH', '', { settings: { ssoUrl: `https://idp.example/${n}` } });
      for (let n = 0; n < 10; n++) expect((await request(n)).status).toBe(200);
      expect(await request(10)).toMatchObject({
        status: 409,
        body: { detail: 'Ten changes wait already. An owner confirms or refuses one first.' },
      });
    });
  });

  describe('F2, F8: a set-up link', () => {
    it('of an admin reaches no connection by which an owner signs in', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const before = await setUp(organization, ['sso', 'certificate'], connection, admin);
      await link(organization.owner.person, connection);
      const refusal = { status: 409, body: { detail: expect.stringContaining('creator of the link') } };
      for (const [method, below, body] of [
        ['POST', '/connection/certificates', { certificate: thief.certificate }],
        ['DELETE', `/connection/certificates/${'a'.repeat(64)}`, undefined],
        ['POST', '/connection/refresh-metadata', undefined],
        ['PATCH', '/connection', { settings: { ssoUrl: 'https://thief.example' } }],
      ] as const)
        expect(await use(before, method, below, body)).toMatchObject(refusal);
      const given = { intents: ['certificate'], connectionId: connection.id };
      const { token } = admin;
      expect(await organization.call('POST', '/setup-links', given, token)).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'connectionId', message: ABOVE }] },
      });
    });

    it('ends with the membership of its creator, and does not begin again with it', async () => {
      const { acme: organization, connection } = await acme();
      const admin = await organization.join('admin');
      const made = await setUp(organization, ['certificate', 'directory'], connection, admin);
      const { status } = await organization.call('DELETE', `/members/${admin.person.id}`);
      expect(status).toBe(204);
      expect([await addByLink(made), await stateOf(organization, made)]).toEqual([401, 'revoked']);
      expect((await use(made, 'POST', '/directory', { name: 'Entra ID' })).status).toBe(401);
      await organization.admit(admin.person, 'admin');
      expect(await addByLink(made)).toBe(401);
      const events = await organization.call('GET', `/audit-events?subject=iam/setup-links/${made.id}`);
      expect(itemsOf<{ action: string }>(events).map(({ action }) => action)).toEqual([
        'setup-link.revoked',
        'setup-link.created',
      ]);
    });

    it('rests while its creator is suspended in the organization, or as a person', async () => {
      const { acme: organization } = await acme();
      const admin = await organization.join('admin');
      const made = await setUp(organization, ['domain'], undefined, admin);
      const read = async () => (await use(made, 'GET', '/domains')).status;
      const { id } = admin.person;
      expect((await organization.call('POST', `/members/${id}/suspend`)).status).toBe(200);
      expect([await read(), await stateOf(organization, made)]).toEqual([401, 'active']);
      expect((await organization.call('POST', `/members/${id}/restore`)).status).toBe(200);
      expect(await read()).toBe(200);
      await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [id]);
      expect(await read()).toBe(401);
      const key = made.token;
      expect((await app.call('POST', '/api/v1/iam/leaked-keys', { key })).status).toBe(202);
      expect(await stateOf(organization, made)).toBe('revoked');
    });

    it('gives at each use what its creator holds then, intent by intent', async () => {
      const { acme: organization } = await acme();
      const scopes = ['iam:domain:create', 'iam:domain:verify', 'iam:setup-link:create'];
      const more = ['iam:directory:create', 'iam:directory-token:create'];
      const role = await organization.call('POST', '/roles', {
        key: 'helper',
        name: 'Helper',
        scopes: [...scopes, ...more],
      });
      const helper = await organization.join('helper');
      const made = await setUp(organization, ['domain', 'directory'], undefined, helper);
      const change = (to: string[]) =>
        organization.call('PATCH', `/roles/${String(role.body['id'])}`, { scopes: to });
      expect((await change(scopes)).status).toBe(200);
      expect((await use(made, 'POST', '/directory', { name: 'Entra ID' })).status).toBe(403);
      expect((await use(made, 'GET')).body['intents']).toEqual(['domain']);
      expect((await use(made, 'GET', '/domains')).status).toBe(200);
      expect((await change(['iam:member:read'])).status).toBe(200);
      expect((await use(made, 'GET')).status).toBe(401);
    });

    it.each([
      ['it is revoked', 'UPDATE setup_links SET revoked_at = now() WHERE id = $2', 401],
      ['it expires', "UPDATE setup_links SET expires_at = now() - interval '1 hour' WHERE id = $2", 401],
      ['the organization is archived', 'UPDATE tenants SET archived_at = now() WHERE id = $1', 401],
      ['its creator is suspended', "UPDATE members SET status = 'suspended' WHERE tenant_id = $1", 401],
      ['its creator has no role any more', 'DELETE FROM member_roles WHERE tenant_id = $1', 401],
    ])('runs no command that waits for its lock while %s', async (_, change, expected) => {
      const { acme: organization } = await acme();
      const made = await setUp(organization, ['domain']);
      const [status] = await inTurnBehind(
        app,
        [
          `WITH locked AS (SELECT id FROM tenants WHERE id = $1 FOR UPDATE), named AS (SELECT $2::text)
           ${change.replace('$1', '(SELECT id FROM locked)').replace('$2', '$2::text')}`,
          organization.id,
          made.id,
        ],
        async () => (await use(made, 'POST', '/domains', { name: 'waiting.example' })).status,
      );
      expect(status).toBe(expected);
      expect(itemsOf(await organization.call('GET', '/domains'))).toHaveLength(1);
    });
  });
});
