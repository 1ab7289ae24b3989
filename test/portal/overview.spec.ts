import { OperatorService } from '../../src/iam/index.js';
import { Counts } from '../../src/platform/counts/index.js';
import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { seedHistory } from '../support/history.js';
import { Organization } from '../support/organization.js';
import { type Visitor, withPortal } from '../support/portal.js';
import { Subscriber } from '../support/subscriber.js';
import { describeWith } from '../support/tools.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

describeWith([CHROMIUM], 'Overviews at the portal', () => {
  const { app, portal } = withPortal();

  const open = async (organization: Organization, below: string): Promise<Visitor> => {
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${organization.id}${below}`);
    await visitor.signIn(organization.owner.person);
    return visitor;
  };
  /** Returns the rows of the table of a chart, each with its cells. */
  const rowsOf = async (visitor: Visitor, name: string): Promise<string[][]> => {
    const rows = visitor.page.getByRole('table', { name, exact: true }).locator('tr');
    await rows.first().waitFor({ state: 'attached' });
    return rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent ?? '')),
    );
  };

  it('of an organization show figures, charts with tables, and both periods', async () => {
    const organization = await Organization.found(app);
    await seedHistory(app, organization.id);
    const visitor = await open(organization, '/overview');
    await visitor.sees('Overview');
    await app.app.get(Counts, { strict: false }).flush(); // their own sign-in would be added later
    await visitor.page.reload();
    const hours = await rowsOf(visitor, 'Sign-ins');
    expect(hours).toHaveLength(25);
    expect(hours[0]).toEqual(expect.arrayContaining(['Time', 'Password', 'Passkey', 'Single sign-on']));
    const sum = (rows: string[][], column: number) =>
      rows.slice(1).reduce((total, row) => total + Number((row[column] ?? '').replace(/\D/g, '')), 0);
    expect(sum(hours, 1)).toBeGreaterThan(0);
    await visitor.press('30 days');
    const days = await rowsOf(visitor, 'Sign-ins');
    expect(days).toHaveLength(31);
    expect(sum(days, 1)).toBeGreaterThan(sum(hours, 1));
    expect(new URL(visitor.page.url()).search).toBe('?period=days');
    await visitor.page.reload();
    expect(await rowsOf(visitor, 'Sign-ins')).toEqual(days);
  });

  it('of a new organization lead through the first steps, and tell what is done', async () => {
    const organization = await Organization.found(app);
    await organization.call('POST', '/invitations', { email: 'first@example.com', roles: ['member'] });
    const visitor = await open(organization, '/overview');
    const steps = visitor.page.getByRole('region', { name: 'First steps' });
    await steps.getByText('Invite your colleagues').waitFor();
    const items = await steps.getByRole('listitem').allInnerTexts();
    expect(items[0]?.replace(/\s+/g, ' ')).toBe('Invite your colleagues done');
    await steps.getByRole('link', { name: 'Require a second factor' }).click();
    await visitor.sees('Sign-in policy');
  });

  it('of an organization say what fails, who waits and what ends, and lead there', async () => {
    const organization = await Organization.found(app);
    const { person, token } = await organization.join('member');
    const request = { role: 'member', hours: 2, reason: 'Ticket 4711' };
    await organization.call('POST', '/roles', { key: 'night', name: 'Night', scopes: ['iam:member:read'] });
    const asked = await organization.call('POST', '/access-requests', { ...request, role: 'night' }, token);
    expect(asked.status).toBe(201);
    const until = new Date(Date.now() + 9 * 24 * 3_600_000).toISOString();
    await organization.call('PATCH', `/members/${person.id}`, { until });
    const visitor = await open(organization, '');
    const tasks = visitor.page.getByRole('region', { name: 'Needs attention' });
    await tasks.getByRole('listitem').first().waitFor();
    expect(await tasks.getByRole('listitem').allInnerTexts()).toEqual([
      '1 access request waits for a decision',
      '1 membership or role ends within 30 days',
    ]);
    await tasks.getByRole('link', { name: /access request/ }).click();
    await visitor.sees('Access requests');
    await visitor.press('Overview');
    await visitor.press('Not now');
    await visitor.page.reload();
    await visitor.sees('Overview');
    await visitor.reads('Needs attention');
    expect(await visitor.page.getByText('First steps').count()).toBe(0);
  });

  it('of an organization say that nothing is to be done, once the first steps are dismissed', async () => {
    const visitor = await open(await Organization.found(app), '');
    await visitor.sees('Overview');
    await visitor.press('Not now');
    await visitor.reads('Nothing fails, waits for you, or ends within 30 days.');
  });

  it('are the first page of an organization for members who may read them', async () => {
    const organization = await Organization.found(app);
    const visitor = await portal.visitor();
    await visitor.goto('/organizations');
    await visitor.signIn(organization.owner.person);
    await visitor.press(/^L Lovelace Logistics|^Lovelace Logistics/);
    await visitor.sees('Overview');
    const member = await portal.visitor();
    await member.goto('/organizations');
    await member.signIn((await organization.join('member')).person);
    await member.press(/Lovelace Logistics/);
    await member.sees('Members');
  });

  it('are not in the menu of a member without the permission', async () => {
    const organization = await Organization.found(app);
    await organization.call('POST', '/roles', { key: 'none', name: 'None', scopes: ['iam:member:read'] });
    const { person } = await organization.join('none');
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${organization.id}`);
    await visitor.signIn(person);
    await visitor.sees('Members');
    expect(await visitor.page.getByRole('link', { name: 'Overview' }).count()).toBe(0);
  });

  it('of the platform are for operators', async () => {
    const organization = await Organization.found(app);
    await seedHistory(app, '');
    const { person } = organization.owner;
    await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
    const totp = await TestTotp.enrol(app, person.token);
    const visitor = await portal.visitor();
    await visitor.goto('/operator');
    await visitor.signIn(person);
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    await visitor.sees('Overview');
    expect((await rowsOf(visitor, 'Mails'))[0]).toEqual(['Time', 'Sent', 'Deferred']);
    await visitor.reads('Replicas');
  });

  it('show the attempts of a webhook in the list and on its page', async () => {
    const receiver = await WebhookReceiver.start();
    const organization = await Organization.found(app);
    const subscriber = new Subscriber(app, organization, receiver, { types: ['iam.role.*'] });
    const { id } = await subscriber.subscribe({ description: 'CRM' });
    await app.sql(
      `INSERT INTO activity_counts (tenant_id, span, name, starts_at, source, value, count)
       SELECT $1, 'hour', 'delivery', date_trunc('hour', now()), $2, v.value, v.count
       FROM (VALUES ('delivered', 3), ('refused', 1)) AS v (value, count)`,
      [organization.id, id],
    );
    try {
      const visitor = await open(organization, '/webhooks');
      await visitor.reads('75% accepted');
      await visitor.page.getByRole('link', { name: /CRM/ }).click();
      await visitor.reads('Attempts of the last 24 hours: 75% accepted');
    } finally {
      await receiver.stop();
    }
  });
});
