import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { Organization, Person } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The sign-in policy of an organization, at the portal', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const path = (page: string) => `/organizations/${organization.id}/${page}`;
  const choose = async (label: string, option: string): Promise<void> => {
    await visitor.page.getByRole('button', { name: new RegExp(label) }).click();
    await visitor.page.getByRole('option', { name: option, exact: true }).click();
  };
  const confirm = async (totp: TestTotp): Promise<void> => {
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
  };

  /** Sets a policy by the owner. @returns the owner's app */
  async function setPolicy(policy: object): Promise<TestTotp> {
    const { person } = organization.owner;
    const totp = await TestTotp.enrol(app, person.token);
    const token = await person.select(organization.id);
    expect((await organization.call('PUT', '/sign-in-policy', policy, token)).status).toBe(200);
    return totp;
  }

  it('is set after a look at who could not enter', async () => {
    await organization.join('member');
    await visitor.goto(path('sign-in-policy'));
    await visitor.signIn(organization.owner.person);
    await visitor.sees('Sign-in policy');
    await choose('Second factor', 'Required');
    await visitor.reads('2 of 2 members could not enter');
    await visitor.reads('Your own sign-in does not satisfy this policy');
    await visitor.page.getByRole('button', { name: /^14 days/ }).waitFor();
    await visitor.press('Save');
    await visitor.reads(/^Your own sign-in does not satisfy this policy\. Sign in with/);
    await choose('Second factor', 'Optional');
    await choose('Confirm sign-in after', '12 hours');
    await visitor.press('Save');
    await visitor.reads('Sign-in policy saved.');
    const { body } = await organization.call('GET', '/sign-in-policy');
    expect(body).toMatchObject({ secondFactor: 'optional', maxAuthAgeSeconds: 43_200, trustedDevices: true });
  });

  it('counts who could not enter to an owner who satisfies it', async () => {
    const { person } = organization.owner;
    await organization.join('member');
    const totp = await TestTotp.enrol(app, person.token);
    await visitor.goto(path('sign-in-policy'));
    await visitor.signIn(person);
    await confirm(totp);
    await visitor.sees('Sign-in policy');
    await choose('Second factor', 'Required');
    await visitor.reads('1 of 2 members could not enter');
    await visitor.reads('They have 14 days to add a second factor.');
    expect(await visitor.page.getByText('Your own sign-in does not satisfy').count()).toBe(0);
    await choose('Time to add one', 'None');
    await visitor.reads('They have to add a second factor first.');
    await visitor.press('Save');
    await visitor.reads('Sign-in policy saved.');
    const sql = "SELECT sign_in_policy->'graceDays' AS days FROM tenants WHERE id = $1";
    const stored = await app.sql(sql, [organization.id]);
    expect(stored).toEqual([{ days: 0 }]);
  });

  it('lets support in for some hours, and ends its access', async () => {
    await visitor.goto(path('sign-in-policy'));
    await visitor.signIn(organization.owner.person);
    await visitor.sees('Sign-in policy');
    await choose('Support access', 'When an owner lets it in');
    await visitor.press('Save');
    await visitor.reads('Support has no access now.');
    await choose('For', '24 hours');
    await visitor.press('Let support in');
    await visitor.reads(/^Support has access until /);
    const { body } = await organization.call('GET', '/support-access');
    expect(Date.parse(String(body['until'])) - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await visitor.press('End the access');
    await visitor.reads('Support has no access now.');
    expect((await organization.call('GET', '/support-access')).body).toMatchObject({ until: null });
  });

  it('lets a member in after a confirmation', async () => {
    const { person } = await organization.join('member');
    await visitor.goto(path('members'));
    await visitor.signIn(person);
    await visitor.sees('Members');
    const totp = await TestTotp.enrol(app, (await Person.again(person)).token);
    await setPolicy({ secondFactor: 'required' });
    await visitor.goto(path('roles'));
    await visitor.reads('Confirm it is you');
    await confirm(totp);
    await visitor.sees('Roles');
  });

  it('leads a member without a factor to add one, and lets them leave', async () => {
    const { person } = await organization.join('member');
    await setPolicy({ secondFactor: 'required' });
    await visitor.goto(path('members'));
    await visitor.signIn(person);
    await visitor.reads(/your account has none yet/);
    await visitor.press('Cancel');
    await visitor.sees('This organization requires more');
    await visitor.press('Leave organization');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await visitor.reads('You have left the organization.');
  });

  it('tells a member within the grace days until when to add a factor', async () => {
    const { person } = await organization.join('member');
    await setPolicy({ secondFactor: 'required', graceDays: 7 });
    await visitor.goto(path('members'));
    await visitor.signIn(person);
    await visitor.sees('Members');
    await visitor.reads(/^Add a second factor by /);
    await visitor.press('Add one now');
    await visitor.sees('Security');
  });
});
