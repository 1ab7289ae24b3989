import { createHash } from 'node:crypto';
import { PersonalData } from '../../../src/iam/index.js';
import { MarkedMethods } from '../../../src/platform/discovery/index.js';
import { byTwoFactors, TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { eventually, withApp } from '../../support/test-app.js';

const EXPORT = '/api/v1/iam/me/export';

/** Tables with the id of an account that are no part of an export, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  external_states: 'a step of a sign-in, for ten minutes',
  idempotent_responses: 'responses that the person has had, sealed',
  oidc_devices: 'a step of a sign-in, for ten minutes',
  one_time_codes: 'a step of a sign-in; a used one for as long as its session, which is a part',
  session_codes: 'a step of a sign-in, for a minute',
  sign_in_challenges: 'a step of a sign-in, for minutes',
  service_account_roles: 'of service accounts, which are no people',
  login_throttles: 'counts that slow down guesses; the events tell of failed sign-ins',
  platform_keys: 'of programs, which are no people',
  ended_keys: 'of service accounts, which are no people',
  trust_rules: 'of service accounts, which are no people',
  directory_suspensions: 'what directories may restore: work of the organization, whose membership is a part',
  directory_users: 'data of the organization, whose directory sent it; the membership is a part',
};

interface Part {
  readonly name: string;
  readonly fields: Record<string, string>;
  readonly items: Record<string, unknown>[];
}

describe('What is kept about a person', () => {
  const app = withApp();

  const request = (token: string) => app.call('POST', EXPORT, undefined, { token });
  const exported = async (token: string) => {
    const id = String((await request(token)).body['id']);
    await eventually('the export is ready', async () => {
      return (await app.get(`${EXPORT}/${id}`, token)).status === 200;
    });
    const { body } = await app.get(`${EXPORT}/${id}`, token);
    return { id, parts: body['parts'] as unknown as Part[] };
  };

  it('is exported by parts, with what each field is, and without anything of others', async () => {
    const [person, other] = [await Person.signUp(app), await Person.signUp(app)];
    const organization = await Organization.found(app, person);
    await Organization.found(app, other);
    const { clientId } = await RelyingParty.register(app);
    const consents = "INSERT INTO oidc_consents VALUES ($1, $3, '{openid}'), ($2, $3, '{openid}')";
    await app.sql(consents, [person.id, other.id, clientId]);
    const totp = await TestTotp.enrol(app, person.token);
    expect((await request(person.token)).status).toBe(401); // by one factor alone
    const { parts } = await exported(byTwoFactors(app, person.token));
    for (const { name, fields, items } of parts)
      for (const item of items)
        expect([name, Object.keys(item).toSorted()]).toEqual([name, Object.keys(fields).toSorted()]);
    const part = (name: string) => parts.find((one) => one.name === name)?.items;
    expect(part('account')).toMatchObject([{ id: person.id, email: person.email, hasPassword: true }]);
    expect(part('memberships')).toMatchObject([{ tenantId: organization.id, roles: ['owner'] }]);
    expect(part('sessions')).toMatchObject([{ id: person.sessionId }]);
    expect(part('consents')).toMatchObject([{ clientId, scopes: ['openid'] }]);
    expect(part('authenticators')?.[0]).toMatchObject({ kind: 'totp' });
    expect(part('events')?.map(({ action }) => action)).toContain('account.created');
    const text = JSON.stringify(parts);
    for (const secret of [other.id, other.email, totp.secret, person.refreshToken, '$2'])
      expect(text).not.toContain(secret);
  });

  it('is mailed about, asked for once a day, and read by the person alone', async () => {
    const [person, other] = [await Person.signUp(app), await Person.signUp(app)];
    const { id } = await exported(person.token);
    expect(await request(person.token)).toMatchObject({ status: 409 });
    await eventually('the mail has come', async () =>
      (await app.mails(person.email)).some((mail) => mail.includes('Subject: Your data is ready')),
    );
    expect((await app.get(`${EXPORT}/${id}`, other.token)).status).toBe(404);
    await app.sql("UPDATE account_exports SET created_at = created_at - interval '25 hours' WHERE id = $1", [
      id,
    ]);
    expect((await request(person.token)).status).toBe(202);
    await app.sql('UPDATE account_exports SET expires_at = now() WHERE id = $1', [id]);
    expect((await app.get(`${EXPORT}/${id}`, person.token)).status).toBe(404);
  });

  it('is a page to read too, whose values are escaped, for the person alone', async () => {
    const [person, other] = [await Person.signUp(app), await Person.signUp(app)];
    const hostile = `<script>alert("1")</script>&'"><img src=x onerror=alert(1)>`;
    await app.call('PATCH', '/api/v1/iam/me', { firstName: hostile, locale: 'de' }, { token: person.token });
    const { id } = await exported(person.token);
    const read = (token: string) =>
      fetch(`${app.url}${EXPORT}/${id}/page`, { headers: { authorization: `Bearer ${token}` } });
    const response = await read(person.token);
    const page = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('cache-control')).toContain('no-store');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox$/,
    );
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'));
    expect(page).toMatch(/^<!doctype html>\n<html lang="de">/);
    expect(page).toContain('<h1>Was über Sie gespeichert ist</h1>');
    const markup = page.replace(style, '');
    expect(markup).not.toMatch(
      /<(?!\/?(?:html|head|meta|title|style|body|main|section|h1|h2|p|div|table|thead|tbody|tr|th|td|time|code)\b|!doctype html>)/,
    );
    expect(markup).toContain(
      '&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;&#39;&#34;&#62;&#60;img',
    );
    for (const canary of [person.email, person.id, person.sessionId]) expect(page).toContain(canary);
    for (const secret of [other.id, other.email, '$2']) expect(page).not.toContain(secret);
    expect((await read(other.token)).status).toBe(404);
    await app.sql('UPDATE account_exports SET expires_at = now() WHERE id = $1', [id]);
    expect((await read(person.token)).status).toBe(404);
  });

  it('is listed for the person alone, with whether it is ready', async () => {
    const [person, other] = [await Person.signUp(app), await Person.signUp(app)];
    const listed = async ({ token }: Person) => (await app.get(EXPORT, token)).body['items'];
    expect(await listed(person)).toEqual([]);
    const { id } = await exported(person.token);
    const times = { createdAt: expect.any(String) as string, expiresAt: expect.any(String) as string };
    expect(await listed(person)).toEqual([{ id, ...times, ready: true }]);
    await app.sql('UPDATE account_exports SET sealed = NULL WHERE id = $1', [id]);
    expect(await listed(person)).toEqual([{ id, ...times, ready: false }]);
    expect(await listed(other)).toEqual([]);
    await app.sql('UPDATE account_exports SET expires_at = now() WHERE id = $1', [id]);
    expect(await listed(person)).toEqual([]);
  });

  it('goes with the account', async () => {
    const person = await Person.signUp(app);
    await exported(person.token);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token });
    expect(await app.sql('SELECT 1 FROM account_exports WHERE account_id = $1', [person.id])).toEqual([]);
  });

  it('has a part for each table with the id of an account', async () => {
    const parts = app.app.get(MarkedMethods, { strict: false }).find(PersonalData);
    const covered = parts.flatMap(({ mark }) => mark.tables);
    const tables = await app.sql<{ name: string }>(
      `SELECT DISTINCT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
         AND a.attname IN ('account_id', 'user_id') AND c.relname NOT IN ('directory_group_members')`,
    );
    const missing = tables
      .map(({ name }) => name)
      .filter((name) => !covered.includes(name) && !LEFT_OUT[name]);
    expect(missing).toEqual([]);
  });
});
