import { inTurnBehind } from '../../support/locks.js';
import { Organization, ownMany, Person } from '../../support/organization.js';
import { type Answer, withApp } from '../../support/test-app.js';

const MOST = 1_000;
const FULL = {
  status: 409,
  body: {
    type: '/errors/conflict',
    detail: expect.stringContaining('Leave one that you do not need') as string,
  },
};

describe('A person in the maximum number of organizations', () => {
  let organization: Organization;
  let ada: Person;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
    ada = await Person.signUp(app);
  });

  const found = () => app.call('POST', '/api/v1/iam/tenants', { name: 'One more' }, { token: ada.token });
  const accept = (token: string) => app.post('accept-invitation', { token }, { token: ada.token });
  /** Creates an invitation to another organization and returns its token. */
  async function invited(): Promise<string> {
    const { length: mailed } = await app.mails(ada.email);
    const other = await Organization.found(app);
    await other.call('POST', '/invitations', { email: ada.email, roles: ['member'] });
    return app.mailedToken(ada.email, mailed + 1);
  }
  const memberships = async () =>
    (await app.sql('SELECT 1 FROM members WHERE user_id = $1', [ada.id])).length;

  it('creates the last one and no other, until they leave one', async () => {
    await ownMany(ada, MOST - 2);
    const token = await organization.admit(ada, 'member');
    expect((await found()).status).toBe(201);
    expect(await found()).toMatchObject(FULL);
    expect((await organization.call('POST', '/leave', undefined, token)).status).toBe(204);
    expect((await found()).status).toBe(201);
    expect(await memberships()).toBe(MOST);
  });

  it('accepts no invitation until they leave one; it stays open', async () => {
    await ownMany(ada, MOST - 1);
    const token = await organization.admit(ada, 'member');
    const invitation = await invited();
    expect((await accept('not-an-invitation')).status).toBe(400);
    expect(await accept(invitation)).toMatchObject(FULL);
    expect(await memberships()).toBe(MOST);
    expect((await organization.call('POST', '/leave', undefined, token)).status).toBe(204);
    expect((await accept(invitation)).status).toBe(200);
    expect(await memberships()).toBe(MOST);
  });

  it('cannot exceed the limit by concurrent requests', async () => {
    await ownMany(ada, MOST - 1);
    const invitations = [await invited(), await invited()];
    const requests: (() => Promise<Answer>)[] = [
      ...invitations.map((token) => () => accept(token)),
      found,
      found,
      found,
    ];
    const answers = await inTurnBehind<Answer[]>(
      app,
      ['SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', ada.id],
      ...requests,
    );
    const done = answers.filter(({ status }) => status < 300);
    expect(done).toHaveLength(1);
    for (const answer of answers) if (!done.includes(answer)) expect(answer).toMatchObject(FULL);
    expect(await memberships()).toBe(MOST);
  });
});
