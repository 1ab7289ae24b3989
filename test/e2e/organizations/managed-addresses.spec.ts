import { ulid } from 'ulid';
import { OperatorService } from '../../../src/iam/index.js';
import { inTurnBehind } from '../../support/locks.js';
import { Organization, Person } from '../../support/organization.js';
import { ScimDirectory, userOf, verifyDomain } from '../../support/scim-directory.js';
import { type Answer, eventually, itemsOf, tokenIn, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const PENDING = `${ME}/email-change`;
const PASSWORD = 'quiet-harbour-42';

describe('An address that a directory manages', () => {
  let acme: Organization;
  let directory: ScimDirectory;
  let domain: string;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
    directory = await ScimDirectory.create(acme);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
  });

  const addressIn = (name: string) => `${ulid().toLowerCase()}@${name}`;
  const outside = () => addressIn('other.example');
  const ask = (token: string, email: string): Promise<Answer> =>
    app.call('PUT', `${ME}/email`, { email }, { token });
  const confirm = (token: string) => app.post('confirm-email', { token });
  const emailOf = async (userId: string) =>
    (await app.sql<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [userId]))[0]!.email;
  async function mailed(to: string, page: string): Promise<string> {
    const linking = async () => (await app.mails(to, 0)).filter((mail) => mail.includes(page)).at(-1);
    await eventually(`a link to ${page} arrives`, async () => (await linking()) !== undefined);
    return tokenIn((await linking()) ?? '');
  }

  /** A person whose account the directory has made, and who has set a password. */
  async function made(name = domain) {
    const email = addressIn(name);
    const id = await directory.create(email);
    await app.post('request-password-reset', { email });
    const token = await mailed(email, 'reset-password?');
    expect((await app.post('reset-password', { token, newPassword: PASSWORD })).status).toBe(204);
    const person = await Person.again({ service: app, email, password: PASSWORD });
    return { id, person };
  }

  it('is not changed by its person, who is told why', async () => {
    const { person } = await made();
    expect((await app.get(PENDING, person.token)).body).toEqual({ pending: null, managedByDirectory: true });
    expect(await ask(person.token, outside())).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('directory of your organization') },
    });
    expect((await app.get(PENDING, person.token)).body).toMatchObject({ pending: null });
  });

  it('is not that of an account which the directory has only found', async () => {
    const person = await Person.signUp(app, addressIn(domain));
    await directory.create(person.email);
    expect((await app.get(PENDING, person.token)).body['managedByDirectory']).toBe(false);
    expect((await ask(person.token, outside())).status).toBe(202);
  });

  it('is changed by a person who is a member of another organization too, until they have left it', async () => {
    const { person } = await made();
    const other = await Organization.found(app);
    await other.admit(person, 'member');
    const email = outside();
    expect((await ask(person.token, email)).status).toBe(202);
    const token = await mailed(email, 'confirm-email?');
    expect((await other.call('DELETE', `/members/${person.id}`)).status).toBe(204);
    expect(await confirm(token)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'token' }] },
    });
    expect(await emailOf(person.id)).toBe(person.email);
    await other.admit(person, 'member');
    expect((await confirm(token)).status).toBe(204);
    expect(await emailOf(person.id)).toBe(email);
  });

  it('is changed by its person while its domain is not verified', async () => {
    const lapsing = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, lapsing);
    const { person } = await made(lapsing);
    expect((await ask(person.token, outside())).status).toBe(409);
    await app.sql("UPDATE tenant_domains SET status = 'lapsed' WHERE domain = $1", [lapsing]);
    expect((await ask(person.token, outside())).status).toBe(202);
  });

  it('follows the directory, and the former address is told without a link', async () => {
    const { id, person } = await made();
    const email = addressIn(domain);
    expect((await directory.call('PUT', `/Users/${id}`, userOf(email))).status).toBe(200);
    expect(await emailOf(person.id)).toBe(email);
    const told = async () => (await app.mails(person.email, 0)).find((mail) => mail.includes('was changed'));
    await eventually('the former address is told', async () => (await told()) !== undefined);
    expect(await told()).not.toContain('undo-email');
    expect((await app.login({ email, password: PASSWORD })).accessToken).toBeTruthy();
  });

  it('follows by an act of the directory, which the trails and the event name', async () => {
    const { id, person } = await made();
    await directory.call('PUT', `/Users/${id}`, userOf(addressIn(domain)));
    const subject = `iam/accounts/${person.id}`;
    const [own, ofAcme] = [
      await app.get(`${ME}/audit-events`, person.token),
      await acme.call('GET', '/audit-events?action=directory.email-changed'),
    ].map((answer) => itemsOf<{ action: string; actorId: string; subject: string }>(answer));
    expect(own!.filter(({ action }) => action.includes('email-changed'))).toEqual([
      expect.objectContaining({ action: 'account.email-changed-by-directory' }),
    ]);
    expect(ofAcme).toContainEqual(expect.objectContaining({ actorId: directory.id, subject }));
    const emitted = await app.sql(
      "SELECT actor_id, data FROM events WHERE type = 'iam.account.address-changed' AND subject = $1",
      [subject],
    );
    expect(emitted).toEqual([{ actor_id: directory.id, data: { userId: person.id } }]);
  });

  it.each([
    ['once the directory manages it again', false],
    ['once the directory has changed it, also after it was released', true],
  ])('is not undone by a former link %s', async (_, isChanged) => {
    const { id, person } = await made();
    const other = await Organization.found(app);
    await other.admit(person, 'member');
    const former = outside();
    const change = async (email: string) => {
      expect((await ask(person.token, email)).status).toBe(202);
      expect((await confirm(await mailed(email, 'confirm-email?'))).status).toBe(204);
    };
    await change(former);
    const current = addressIn(domain);
    await change(current);
    const token = await mailed(former, 'undo-email?');
    expect((await other.call('DELETE', `/members/${person.id}`)).status).toBe(204);
    const expected = isChanged ? addressIn(domain) : current;
    if (isChanged) {
      expect((await directory.call('PUT', `/Users/${id}`, userOf(expected))).status).toBe(200);
      await app.app.get(OperatorService, { strict: false }).grant(expected);
    }
    expect(await app.post('undo-email', { token })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'token' }] },
    });
    expect(await emailOf(person.id)).toBe(expected);
  });

  it('follows the directory while the account is suspended too, and voids a change that waits', async () => {
    const { id, person } = await made();
    const other = await Organization.found(app);
    await other.admit(person, 'member');
    expect((await ask(person.token, outside())).status).toBe(202);
    expect((await other.call('DELETE', `/members/${person.id}`)).status).toBe(204);
    const [first, second] = [addressIn(domain), addressIn(domain)];
    await directory.call('PUT', `/Users/${id}`, userOf(first));
    expect((await app.get(PENDING, person.token)).body['pending']).toBeNull();
    await directory.patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    await directory.call('PUT', `/Users/${id}`, userOf(second, { active: false }));
    expect(await emailOf(person.id)).toBe(second);
  });

  it('does not follow into a domain that the organization has not verified, nor to a taken address', async () => {
    const { id, person } = await made();
    const taken = await Person.signUp(app, addressIn(domain));
    for (const email of [outside(), taken.email]) {
      expect((await directory.call('PUT', `/Users/${id}`, userOf(email))).status).toBe(200);
      expect(await emailOf(person.id)).toBe(person.email);
    }
    expect(await emailOf(taken.id)).toBe(taken.email);
  });

  it('does not follow for an account that the directory does not manage', async () => {
    const found = await Person.signUp(app, addressIn(domain));
    const id = await directory.create(found.email);
    const shared = await made();
    await (await Organization.found(app)).admit(shared.person, 'member');
    for (const [record, person] of [
      [id, found],
      [shared.id, shared.person],
    ] as const) {
      expect((await directory.call('PUT', `/Users/${record}`, userOf(addressIn(domain)))).status).toBe(200);
      expect(await emailOf(person.id)).toBe(person.email);
    }
  });

  it('does not follow for an operator, who changes it themselves', async () => {
    const { id, person } = await made();
    await app.app.get(OperatorService, { strict: false }).grant(person.email);
    expect((await directory.call('PUT', `/Users/${id}`, userOf(addressIn(domain)))).status).toBe(200);
    expect(await emailOf(person.id)).toBe(person.email);
    expect((await app.get(PENDING, person.token)).body['managedByDirectory']).toBe(false);
  });

  it('is that of the record also if another change of the record was waiting with the former one', async () => {
    const { id, person } = await made();
    const email = addressIn(domain);
    const answers = await inTurnBehind(
      app,
      ['SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', person.id],
      () => directory.call('PUT', `/Users/${id}`, userOf(email)),
      () => directory.patch(`/Users/${id}`, { op: 'replace', value: { title: 'Pilot' } }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await emailOf(person.id)).toBe(email);
  });

  it('does not follow another directory of the organization', async () => {
    const { person } = await made();
    const second = await ScimDirectory.create(acme);
    const id = await second.create(person.email);
    expect((await second.call('PUT', `/Users/${id}`, userOf(addressIn(domain)))).status).toBe(200);
    expect(await emailOf(person.id)).toBe(person.email);
  });

  it('is given to one of two accounts for which the directory sends it at the same time', async () => {
    const people = [await made(), await made()];
    const email = addressIn(domain);
    const more = { emails: [{ value: email, primary: true }] };
    const answers = await Promise.all(
      people.map(({ id, person }) =>
        directory.call('PUT', `/Users/${id}`, userOf(`${person.id}@${domain}`, more)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const holders = await app.sql('SELECT id FROM accounts WHERE email_key = $1', [email]);
    expect(holders).toHaveLength(1);
  });
});
