import { Logger } from '@nestjs/common';
import { ulid } from 'ulid';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { ATTACKS } from '../../lab/saml-attacks.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, oidcSettings, samlSettings } from '../../support/connection.js';
import { type Landing, signInTraces } from '../../support/external.js';
import { LONG } from '../../support/long.js';
import { Organization } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';

type Parameters = Record<string, string>;

describe('Answers of one connection at another', () => {
  const labs = { saml: new SamlStandIn() };
  let app: TestApp;
  let oidc: { readonly a: OidcStandIn; readonly b: OidcStandIn };
  const connections = new Map<string, LabConnection>();
  const names = ['a oidc', 'a saml', 'b oidc', 'b saml'] as const;
  beforeAll(async () => {
    oidc = { a: await OidcStandIn.start(), b: await OidcStandIn.start() };
    app = await TestApp.start({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    for (const tenant of ['a', 'b'] as const) {
      const organization = await Organization.found(app);
      for (const settings of [oidcSettings(oidc[tenant]), samlSettings(labs.saml)]) {
        const connection = await LabConnection.active(organization, settings);
        await connection.call('PATCH', '', { provisioning: { justInTime: true } });
        connections.set(`${tenant} ${settings.kind}`, connection);
      }
    }
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([oidc.a.close(), oidc.b.close()]);
  });

  const of = (name: string) => connections.get(name)!;
  /** What the provider gives the browser, for a person of the connection's own domain. */
  const answerOf = async (name: string, domain: string): Promise<Parameters> => {
    const connection = of(name);
    const address = await connection.start();
    const email = `eve@${domain}`;
    if (connection.kind === 'saml')
      return labs.saml.answer(address, ulid(), { words: { attributes: { email } } });
    const lab = name.startsWith('a') ? oidc.a : oidc.b;
    lab.person = { sub: ulid(), email, email_verified: true };
    return Object.fromEntries(lab.visit(address).searchParams);
  };
  const stateOf = async (name: string): Promise<Parameters> => {
    const { searchParams } = new URL(await of(name).start());
    const key = of(name).kind === 'saml' ? 'RelayState' : 'state';
    return { [key]: searchParams.get(key) ?? '' };
  };
  const bringTo = (name: string, parameters: Parameters): Promise<Landing> => {
    const connection = of(name);
    if (connection.kind === 'saml') return connection.bring(parameters);
    return connection.bring(
      new URL(`http://callback.example/?${new URLSearchParams(parameters).toString()}`),
    );
  };
  const created = async () => {
    const {
      accounts,
      sessions,
      external_identities: identities,
      external_codes: codes,
    } = await signInTraces(app);
    const [rows] = await app.sql('SELECT count(*)::int AS members FROM members');
    return { accounts, sessions, identities, codes, ...rows };
  };
  const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const));

  it('each sign a person in at their own', async () => {
    for (const name of names) {
      const { fragment } = await bringTo(name, await answerOf(name, of(name).domain));
      expect([name, fragment['error'], typeof fragment['access_token']]).toEqual([name, undefined, 'string']);
    }
  });

  it.each(['pending', 'lapsed'])('for a domain that is %s are refused, and it finds none', async (status) => {
    const connection = await LabConnection.active(await Organization.found(app), samlSettings(labs.saml));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const email = `eve@${connection.domain}`;
    const found = async () => (await app.post('sign-in-options', { email })).body['connection'];
    expect(await found()).toMatchObject({ id: connection.id });
    await app.sql('UPDATE tenant_domains SET status = $2 WHERE domain = $1', [connection.domain, status]);
    await connection.call('PATCH', '', { name: 'Announced' });
    expect(await found()).toBeUndefined();
    const before = await created();
    const form = labs.saml.answer(await connection.start(), ulid(), { words: { attributes: { email } } });
    expect((await connection.bring({ ...form })).fragment).toMatchObject({ error: 'domain_not_verified' });
    expect(await created()).toEqual(before);
  });

  it.each(pairs)('of %s are refused at %s, and create nothing', async (from, to) => {
    for (const domain of [of(from).domain, of(to).domain]) {
      const before = await created();
      const landed = await bringTo(to, await answerOf(from, domain));
      expect([landed.status, landed.fragment]).toEqual([400, {}]);
      expect(await created()).toEqual(before);
    }
  });

  it.each(pairs)('of %s are refused at %s with a state of its own, and create nothing', async (from, to) => {
    const before = await created();
    const answer = await answerOf(from, of(to).domain);
    const { fragment } = await bringTo(to, { ...answer, ...(await stateOf(to)) });
    expect(fragment['error']).toBe('invalid_response');
    expect(await created()).toEqual(before);
    const [health] = await app.sql('SELECT last_error FROM connections WHERE id = $1', [of(to).id]);
    expect(health).toEqual({ last_error: 'invalid_response' });
  });

  describe('that prove nothing', () => {
    let warn: jest.SpyInstance;
    beforeEach(() => {
      warn = jest.spyOn(Logger.prototype, 'warn');
    });
    afterEach(() => warn.mockRestore());

    /** Requirements that refused the answers, as the log has them. */
    const refusals = () =>
      warn.mock.calls.flatMap(([entry]) => /SAML-\d+/.exec((entry as { cause?: string }).cause ?? '') ?? []);

    it.each(Object.entries(ATTACKS).map(([name, [check, twist]]) => [name, check, twist] as const))(
      'are refused, and create nothing: %s',
      async (_name, check, twist) => {
        const before = await created();
        for (const to of LONG ? (['a saml', 'b saml'] as const) : (['a saml'] as const)) {
          const words = { attributes: { email: `eve@${of(to).domain}` }, ...twist.words };
          const answer = labs.saml.answer(await of('a saml').start(), 'admin', { ...twist, words });
          const state = to === 'a saml' ? {} : await stateOf(to);
          const { status, fragment } = await bringTo(to, { ...answer, ...state });
          expect([to, status, fragment['error']]).toEqual([to, 303, 'invalid_response']);
        }
        expect(refusals()[0]).toBe(check);
        expect(await created()).toEqual(before);
      },
    );
  });
});
