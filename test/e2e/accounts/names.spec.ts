import { nameOf, NO_NAME } from '../../../src/iam/accounts/person-name.js';
import { Organization, Person } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const PASSWORD = 'quiet-harbour-42';

describe('The name of a person', () => {
  const app = withApp();

  /** Registers and verifies an account. */
  async function register(email: string, fields: object): Promise<string> {
    await app.post('register', { email, password: PASSWORD, firstName: 'Ada', ...fields });
    const [mail = ''] = await app.mails(email, 1);
    expect((await app.post('verify-email', { token: await app.mailedToken(email) })).status).toBe(204);
    return mail;
  }

  it('has the optional parts of a registration, by which its mail names it', async () => {
    const email = 'countess@example.com';
    const mail = await register(email, { lastName: 'Lovelace', displayName: 'Countess Lovelace' });
    expect(mail).toContain('Countess Lovelace');
    const { accessToken } = await app.login({ email, password: PASSWORD });
    expect((await app.get(ME, accessToken)).body).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      displayName: 'Countess Lovelace',
      name: 'Countess Lovelace',
    });
  });

  it('is kept by further links of a registration', async () => {
    const email = 'again@example.com';
    await app.post('register', { email, password: PASSWORD, firstName: 'Ada', lastName: 'Byron' });
    await app.mails(email, 1);
    await app.post('resend-verification', { email });
    const token = await app.mailedToken(email, 2);
    expect((await app.post('verify-email', { token })).status).toBe(204);
    const { accessToken } = await app.login({ email, password: PASSWORD });
    expect((await app.get(ME, accessToken)).body['name']).toBe('Ada Byron');
  });

  it('is changed and cleared by the person, except for the first name', async () => {
    const { token } = await Person.signUp(app);
    const change = (body: object) => app.call('PATCH', ME, body, { token });
    const first = await change({ lastName: 'Byron', displayName: 'A. B.' });
    expect(first.body).toMatchObject({ firstName: 'Ada', lastName: 'Byron', name: 'A. B.' });
    expect((await change({ displayName: null })).body['name']).toBe('Ada Byron');
    expect((await change({ lastName: null })).body).toMatchObject({ lastName: null, name: 'Ada' });
    expect((await change({ firstName: null })).status).toBe(400);
    expect((await change({ lastName: 'x'.repeat(101) })).status).toBe(400);
  });

  it('orders and names members, in lists and for those who may not see them else', async () => {
    const organization = await Organization.found(app);
    const { token } = organization.owner.person;
    const [zed, anna] = [await organization.join('member'), await organization.join('member')];
    await app.call('PATCH', ME, { firstName: 'Zed', displayName: 'aaron' }, { token: zed.person.token });
    await app.call('PATCH', ME, { firstName: 'Ada', lastName: 'Abel' }, { token: anna.person.token });
    const named = async () =>
      itemsOf<{ name: string }>(await organization.call('GET', '/members')).map(({ name }) => name);
    expect(await named()).toEqual(['aaron', 'Ada', 'Ada Abel']);
    await app.call('PATCH', ME, { lastName: 'Zimmer' }, { token });
    expect(await named()).toEqual(['aaron', 'Ada Abel', 'Ada Zimmer']);
  });

  it('is the same for the database', async () => {
    for (const firstName of ['Ada', null])
      for (const lastName of ['Lovelace', null])
        for (const displayName of ['Countess', null]) {
          const name = { ...NO_NAME, firstName, lastName, displayName };
          const rows = await app.sql('SELECT person_name($1, $2, $3) AS name', Object.values(name));
          expect(rows).toEqual([{ name: nameOf(name) }]);
        }
  });

  it('leaves nothing behind by an erasure, also of a replica that does not know all parts', async () => {
    const erased = async (sql: string) => {
      const { id, token } = await Person.signUp(app);
      await app.call('PATCH', ME, { lastName: 'Byron', displayName: 'A. B.' }, { token });
      await app.sql(sql, [id]);
      return app.sql('SELECT first_name, last_name, display_name FROM accounts WHERE id = $1', [id]);
    };
    const former = `UPDATE accounts SET email = NULL, email_key = NULL, password_hash = NULL, first_name = NULL, company = NULL,
      country = NULL, erased_at = now() WHERE id = $1`;
    expect(await erased(former)).toEqual([{ first_name: null, last_name: null, display_name: null }]);
  });
});
