import { ulid } from 'ulid';
import type { Twist } from '../../lab/oidc-stand-in.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { withProvider } from '../../support/external.js';
import { LabConnection, oidcSettings, samlSettings } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const LINK = 'http://schemas.microsoft.com/claims/groups.link';

/** What the providers of connections say, where they differ from the usual. */
describe('Claims of a connection', () => {
  const saml = new SamlStandIn();
  const oidc = withProvider();
  const app = withApp({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  let a: Organization;
  let connection: LabConnection;
  beforeAll(async () => {
    a = await Organization.found(app);
    await a.call('POST', '/roles', { key: 'engineer', name: 'Engineer', scopes: ['iam:member:read'] });
    connection = await LabConnection.active(a, oidcSettings(oidc));
  });
  beforeEach(() => provision({ onNoMatch: 'default' }));

  const ENGINEERS = { attribute: 'groups', operator: 'equals', value: 'Engineering', roles: ['engineer'] };
  const provision = async (changes: object, items: object[] = [ENGINEERS], by = connection) => {
    const provisioning = { justInTime: true, syncRoles: 'every-sign-in', ...changes };
    expect((await by.call('PATCH', '', { provisioning })).status).toBe(200);
    expect((await by.call('PUT', '/rules', { items })).status).toBe(200);
  };
  const signIn = async (person: Record<string, unknown>, twist: Twist = {}, by = connection) => {
    oidc.person = { email: `${String(person['sub'])}@${by.domain}`, ...person };
    oidc.twist = twist;
    return (await by.bring(oidc.visit(await by.start()))).fragment;
  };
  const failures = async (twist: Twist, by = connection) => {
    oidc.twist = twist;
    const { body } = await by.call('POST', '/tests');
    await by.bring(oidc.visit(String(body['authorizationUrl'])));
    const { body: test } = await by.call('GET', `/tests/${String(body['testId'])}`);
    const steps = test['steps'] as unknown as { name: string; verdict: string; detail: string }[];
    return {
      failed: steps.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name),
      passed: steps.filter(({ verdict }) => verdict === 'passed').map(({ name }) => name),
      details: steps.map(({ detail }) => detail).join(' '),
    };
  };
  const rolesOf = async (email: string) => {
    const members = itemsOf<{ email: string; roles: string[] }>(await a.call('GET', '/members?limit=100'));
    return members.find((member) => member.email === email)?.roles;
  };
  const sub = () => ulid().toLowerCase();

  describe('about the address', () => {
    it.each([false, 'false', 'no', 'TRUE', null, 0, 1, []])(
      'does not believe it with %j',
      async (verified) => {
        expect((await signIn({ sub: sub(), email_verified: verified }))['error']).toBe('domain_not_verified');
      },
    );

    it.each([true, 'true', undefined])('believes it with %j', async (verified) => {
      expect((await signIn({ sub: sub(), email_verified: verified }))['error']).toBeUndefined();
    });

    it('does not believe it if userinfo denies what the ID token leaves out', async () => {
      await connection.call('PATCH', '', { settings: { claims: { firstName: 'nickname' } } });
      await connection.pretendTest();
      await connection.call('POST', '/activate');
      const person = { sub: sub() };
      const email = `${person.sub}@${connection.domain}`;
      const userInfo = { status: 200, body: { ...person, email, email_verified: false } };
      expect((await signIn(person, { userInfo }))['error']).toBe('domain_not_verified');
      await connection.call('PATCH', '', { settings: { claims: {} } });
      await connection.pretendTest();
      await connection.call('POST', '/activate');
    });

    it('does not believe an assertion that denies it', async () => {
      const by = await LabConnection.active(a, samlSettings(saml));
      await by.call('PATCH', '', { provisioning: { justInTime: true } });
      const email = `ada@${by.domain}`;
      const sign = async (verified: string) => {
        const words = { attributes: { email, 'http://schemas.auth0.com/email_verified': verified } };
        return (await by.bring(saml.answer(await by.start(), 'ada', { words }))).fragment['error'];
      };
      expect([await sign('false'), await sign('true')]).toEqual(['domain_not_verified', undefined]);
    });
  });

  it('compares the domain of an address in ASCII', async () => {
    const label = `bücher-${sub()}`;
    const other = await Organization.found(app);
    const by = await LabConnection.active(other, oidcSettings(oidc), `${label}.example`);
    await by.call('PATCH', '', { provisioning: { justInTime: true } });
    const email = `x@${label}.example`;
    expect((await signIn({ sub: 'x', email }, {}, by))['error']).toBeUndefined();
    for (const spelling of [email, email.toUpperCase(), `x@${new URL(`http://${label}.example`).hostname}`]) {
      const { body } = await app.post('sign-in-options', { email: spelling });
      expect(body['connection']).toMatchObject({ id: by.id });
    }
  });

  describe('of groups that are not whole', () => {
    const missing: [string, Record<string, unknown>][] = [
      ['_claim_names of Entra ID', { _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }],
      ['hasgroups', { hasgroups: true }],
      ['hasgroups as text', { hasgroups: 'true' }],
      ['more than 2,000', { groups: Array.from({ length: 2_001 }, (_, n) => `group-${n}`) }],
    ];

    it.each(missing)('change no role and no membership: %s', async (_what, claims) => {
      const person = { sub: sub() };
      await signIn({ ...person, groups: ['Engineering'] });
      const email = `${person.sub}@${connection.domain}`;
      expect((await signIn({ ...person, ...claims }))['error']).toBeUndefined();
      expect(await rolesOf(email)).toEqual(['engineer']);
      expect((await signIn({ sub: sub(), ...claims }))['error']).toBe('groups_incomplete');
      await provision({ onNoMatch: 'refuse' });
      expect((await signIn({ ...person, ...claims }))['error']).toBe('groups_incomplete');
      expect(await rolesOf(email)).toEqual(['engineer']);
      const { body } = await connection.call('GET');
      expect(body).toMatchObject({ lastError: 'groups_incomplete', groupsIncompleteAt: expect.any(String) });
    });

    it('are an event, and named by a test', async () => {
      const { details } = await failures({ claims: { hasgroups: true, email: `x@${connection.domain}` } });
      expect(details).toContain('did not send all groups');
      const path = `/audit-events?subject=iam/connections/${connection.id}&action=connection.groups-incomplete`;
      expect(itemsOf(await a.call('GET', path)).length).toBeGreaterThan(0);
    });

    it('do not matter to rules about other attributes', async () => {
      await provision({}, [{ ...ENGINEERS, attribute: 'department' }]);
      const person = { sub: sub(), department: 'Engineering', hasgroups: true };
      expect((await signIn(person))['error']).toBeUndefined();
      expect(await rolesOf(`${person.sub}@${connection.domain}`)).toEqual(['engineer']);
    });

    it('change nothing by a link of Entra ID in an assertion', async () => {
      const by = await LabConnection.active(a, samlSettings(saml));
      await provision({}, [ENGINEERS], by);
      const email = `ada@${by.domain}`;
      const sign = async (attributes: Record<string, string>) => {
        const words = { attributes: { email, ...attributes } };
        return (await by.bring(saml.answer(await by.start(), 'ada', { words }))).fragment['error'];
      };
      await by.call('PATCH', '', { settings: { attributes: { groups: 'memberOf' } } });
      await by.pretendTest();
      await by.call('POST', '/activate');
      expect(await sign({ memberOf: 'Engineering' })).toBeUndefined();
      expect(await sign({ [LINK]: 'https://graph.windows.net/x' })).toBeUndefined();
      expect(await rolesOf(email)).toEqual(['engineer']);
      expect(await sign({ [LINK]: 'https://graph.windows.net/x', memberOf: 'Sales' })).toBeUndefined();
      expect(await rolesOf(email)).toEqual(['member']);
    });

    it('are read up to 2,000', async () => {
      const groups = [...Array.from({ length: 1_999 }, (_, n) => `group-${n}`), 'Engineering'];
      const person = { sub: sub(), groups };
      await signIn(person);
      expect(await rolesOf(`${person.sub}@${connection.domain}`)).toEqual(['engineer']);
    });
  });

  it('F5: are compared with a bounded number of characters, and patterns have eight stars', async () => {
    const rule = (value: string) => ({
      attribute: 'groups',
      operator: 'matches',
      value,
      roles: ['engineer'],
    });
    const refused = await connection.call('PUT', '/rules', { items: [rule('a*'.repeat(9))] });
    expect([refused.status, refused.body['violations']]).toEqual([
      400,
      [expect.objectContaining({ propertyPath: 'items[0].value' })],
    ]);
    await provision(
      {},
      Array.from({ length: 100 }, (_, n) => rule(`*${'a'.repeat(200)}*${n}b*`)),
    );
    const groups = Array.from({ length: 500 }, (_, n) => `${'a'.repeat(236)}${n}`);
    expect((await signIn({ sub: sub(), groups }))['error']).toBe('groups_incomplete');
    const sample = { attributes: [{ name: 'groups', values: groups.slice(0, 100) }] };
    const { body } = await connection.call('POST', '/rules/preview', sample);
    expect(body).toMatchObject({ outcome: 'undecided', roles: [] });
  });

  describe('of audiences', () => {
    const PROJECT = '4711@project';
    const trust = async (...trustedAudiences: string[]) => {
      const { status } = await connection.call('PATCH', '', { settings: { trustedAudiences } });
      expect(status).toBe(200);
      await connection.pretendTest();
      expect((await connection.call('POST', '/activate')).status).toBe(200);
    };
    const zitadel = () => ({ claims: { aud: [oidc.clientId, PROJECT], azp: oidc.clientId } });

    it('are accepted if the connection lists them, as ZITADEL needs it', async () => {
      await trust(PROJECT);
      expect((await signIn({ sub: sub() }, zitadel()))['error']).toBeUndefined();
      await trust();
      expect((await signIn({ sub: sub() }, zitadel()))['error']).toBe('invalid_response');
    });

    it.each<[string, Record<string, unknown>]>([
      ['of another app only', { aud: [PROJECT], azp: undefined }],
      ['of the project for another client', { aud: ['gatehouse', PROJECT], azp: 'another' }],
      ['for another client', { azp: 'another' }],
      ['of one app more', { aud: ['gatehouse', PROJECT, 'another'], azp: 'gatehouse' }],
    ])('are refused %s', async (_what, claims) => {
      await trust(PROJECT);
      expect((await signIn({ sub: sub() }, { claims }))['error']).toBe('invalid_response');
      expect(await failures({ claims })).toMatchObject({ failed: ['audience'] });
    });
  });

  it('are named by a test where they fail, and no other check', async () => {
    const email = `x@${connection.domain}`;
    oidc.person = { sub: 'x', email };
    const CHECKED = ['provider', 'code', 'times'];
    const cases: [Twist, string, string[]][] = [
      [{ claims: { aud: ['gatehouse', 'x'], azp: 'gatehouse' } }, 'audience', [...CHECKED, 'issuer']],
      [{ claims: { azp: 'x' } }, 'audience', [...CHECKED, 'issuer']],
      [{ claims: { iss: 'https://other.example' } }, 'issuer', CHECKED],
      [{ claims: { nonce: 'x' } }, 'nonce', [...CHECKED, 'issuer', 'audience']],
      [{ claims: { nonce: undefined } }, 'nonce', CHECKED],
      [{ claims: { sub: undefined } }, 'subject', CHECKED],
      [{ claims: { exp: 1 } }, 'times', ['provider', 'code']],
      [{ token: (token) => withAlgorithm(token, 'HS256') }, 'signature', ['provider', 'code']],
      [
        { claims: { email: undefined }, userInfo: { status: 200, body: { sub: 'x' } } },
        'domain',
        [...CHECKED, 'issuer', 'audience', 'nonce', 'signature', 'subject', 'attributes'],
      ],
      [
        { claims: { email: undefined }, userInfo: { status: 200, body: { sub: 'y' } } },
        'subject',
        [...CHECKED, 'issuer', 'audience', 'nonce', 'signature'],
      ],
    ];
    for (const [twist, name, passed] of cases) {
      const result = await failures(twist);
      expect([name, result.failed, result.passed.toSorted()]).toEqual([name, [name], passed.toSorted()]);
      expect(result.details).not.toContain('redirect');
    }
  });
});

/** Puts another algorithm into the header of a token. */
function withAlgorithm(token: string, alg: string): string {
  const [, ...rest] = token.split('.');
  return [Buffer.from(JSON.stringify({ alg, kid: 'lab' })).toString('base64url'), ...rest].join('.');
}
