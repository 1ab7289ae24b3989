import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import { AuditChain } from '../support/audit-chain.js';
import { CHROMIUM } from '../support/chromium.js';
import { Organization, type Member } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The audit trail of an organization, at the portal', () => {
  let organization: Organization;
  let grace: Member;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    organization = await Organization.found(app);
    grace = await organization.join('member');
    await app.sql(`UPDATE accounts SET first_name = 'Grace' WHERE id = $1`, [grace.person.id]);
    await organization.call('POST', '/roles', { key: 'driver', name: 'Driver', scopes: ['iam:member:read'] });
  });

  const open = async (query = ''): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/audit-trail${query}`);
    await visitor.signIn(organization.owner.person);
    await visitor.sees('Audit log');
    await visitor.page.locator('.trail > li').first().waitFor();
  };
  /** Texts of the events, without times and ids. */
  const events = async () =>
    (await visitor.page.locator('.deed > span:first-child').allInnerTexts()).map((one) =>
      one.replaceAll(/\s+/g, ' '),
    );
  const search = () => new URL(visitor.page.url()).search;
  const choose = async (field: string, option: string): Promise<void> => {
    await visitor.page.getByRole('button', { name: new RegExp(`${field}$`) }).click();
    await visitor.page.getByRole('option', { name: option, exact: true }).click();
  };
  const showsOnly = async (...expected: string[]): Promise<void> => {
    await eventually(`the events are ${expected.join(', ')}`, async () =>
      isDeepStrictEqual(await events(), expected),
    );
  };
  const exported = async (): Promise<string[]> => {
    const [file] = await Promise.all([visitor.page.waitForEvent('download'), visitor.press('Export CSV')]);
    return (await readFile(await file.path(), 'utf8')).split('\r\n');
  };

  it('says for how long it is kept, and until when it was verified', async () => {
    await app.sql('INSERT INTO audit_retentions (tenant_id, days) VALUES ($1, 400)', [organization.id]);
    const chain = AuditChain.existing(app, organization.id);
    await chain.grow();
    expect(await chain.broken()).toBeNull();
    await open();
    await visitor.reads('Events are kept for 400 days.');
    await visitor.reads('Verified as complete and unchanged until');
    await app.sql('DELETE FROM audit_retentions WHERE tenant_id = $1', [organization.id]);
    await visitor.page.reload();
    await visitor.reads('Events are kept indefinitely.');
  });

  it('names who did what to whom', async () => {
    await open();
    expect(await events()).toEqual([
      'You created a role: Driver',
      `Grace accepted an invitation: ${grace.person.email}`,
      'Grace joined the organization',
      `You invited a member: ${grace.person.email}`,
      'You created the organization',
    ]);
  });

  it('names members and invitations beyond the first page of their lists', async () => {
    const isList = /\/api\/v1\/iam\/tenants\/\w+\/(members|invitations)(\?|$)/;
    await visitor.page.route(isList, (route) =>
      route.fulfill({ json: { items: [], nextCursor: null, total: 0 } }),
    );
    await open();
    await showsOnly(
      'You created a role: Driver',
      `Grace accepted an invitation: ${grace.person.email}`,
      'Grace joined the organization',
      `You invited a member: ${grace.person.email}`,
      'You created the organization',
    );
    const [, newest, accepted] = await exported();
    expect(newest).toContain('"Ada"');
    expect(accepted).toContain(`"${grace.person.email}"`);
  });

  it('is filtered by action, person and subject, in the address', async () => {
    await open();
    await choose('Action', 'created a role');
    await showsOnly('You created a role: Driver');
    expect(search()).toBe('?action=role.created');
    await visitor.press('Clear filters');
    await visitor.page.getByRole('button', { name: 'Grace', exact: true }).first().click();
    await showsOnly(`Grace accepted an invitation: ${grace.person.email}`, 'Grace joined the organization');
    expect(search()).toBe(`?actor=${grace.person.id}`);
    await visitor.press('Only by Grace');
    await visitor.page.getByRole('button', { name: grace.person.email, exact: true }).first().click();
    await showsOnly(
      `Grace accepted an invitation: ${grace.person.email}`,
      `You invited a member: ${grace.person.email}`,
    );
    await visitor.press(`Only about ${grace.person.email}`);
    expect(search()).toBe('');
  });

  it('is searched by people and filtered by area, and shows the details of an event', async () => {
    await open();
    await visitor.fill('Search by person', 'grac');
    await showsOnly(`Grace accepted an invitation: ${grace.person.email}`, 'Grace joined the organization');
    await choose('Area', 'Members');
    await showsOnly('Grace joined the organization');
    expect(search()).toBe('?q=grac&group=member');
    await visitor.page.getByRole('button', { name: 'Details' }).click();
    await visitor.reads('member.joined');
    await visitor.press('Clear filters');
    await visitor.reads('You created the organization');
    expect(await visitor.page.getByLabel('Search by person').inputValue()).toBe('');
  });

  it('can be filtered by each action of an organization, in the order of their texts', async () => {
    await open();
    await visitor.page.getByRole('button', { name: /Action$/ }).click();
    await visitor.page.getByRole('option', { name: 'created a service account', exact: true }).waitFor();
    const [all, ...actions] = await visitor.page.getByRole('option').allInnerTexts();
    expect(all).toBe('All actions');
    expect(actions).toEqual(actions.toSorted((one, other) => one.localeCompare(other, 'en')));
    expect(actions).toContain('registered an app');
    expect(actions).not.toContain('changed the password');
  });

  it('shows what a shared address filters, and says when nothing matches', async () => {
    await open('?action=role.created');
    expect(await events()).toEqual(['You created a role: Driver']);
    await choose('Action', 'archived the organization');
    await visitor.reads('No events match these filters');
  });

  it('is filtered by a period of days, both included', async () => {
    const other = await Organization.found(app);
    const then = new Date();
    then.setDate(then.getDate() - 10);
    for (const [action, hour] of [
      ['role.created', -1],
      ['role.updated', 0],
      ['role.deleted', 23],
      ['member.removed', 24],
    ] as const) {
      const at = new Date(then.getFullYear(), then.getMonth(), then.getDate(), hour, 30);
      await app.sql(
        `INSERT INTO audit_events (id, action, account_id, tenant_id, subject, created_at) VALUES ($1, $2, $3, $4, 'iam/roles/x', $5)`,
        [ulid(at.getTime()), action, other.owner.person.id, other.id, at],
      );
    }
    await visitor.goto(`/organizations/${other.id}/audit-trail`);
    await visitor.signIn(other.owner.person);
    await visitor.sees('Audit log');
    await choose('Period', 'Last 7 days');
    await showsOnly('You created the organization');
    await choose('Period', 'Last 30 days');
    await visitor.page.locator('.deed', { hasText: 'deleted a role' }).waitFor();
    const day = [then.getFullYear(), then.getMonth() + 1, then.getDate()]
      .map((n) => String(n).padStart(2, '0'))
      .join('-');
    await choose('Period', 'Choose dates');
    await visitor.fill('From', day);
    await visitor.fill('To', day);
    await showsOnly('You deleted a role', 'You changed a role');
  });

  it('says what allowed an act, and finds other acts by it', async () => {
    const [id, site] = [ulid(), `yard/sites/${ulid()}`];
    await app.sql(
      "INSERT INTO audit_events (id, action, account_id, tenant_id, subject) VALUES ($1, 'gate.opened', $2, $3, 'yard/gates/1')",
      [id, grace.person.id, organization.id],
    );
    const by = { role: 'keeper', on: site, via: null };
    await app.sql(
      'INSERT INTO audit_details (event_id, account_id, tenant_id, details) VALUES ($1, $2, $3, $4)',
      [id, grace.person.id, organization.id, by],
    );
    await open();
    const act = visitor.page.locator('.deed', { hasText: 'gate.opened' });
    await act.getByRole('button', { name: 'Details' }).click();
    await act.getByRole('button', { name: `Role keeper on ${site}` }).click();
    await showsOnly('Grace gate.opened');
    expect(new URLSearchParams(search()).get('by')).toBe(site);
    expect((await exported())[1]).toMatch(new RegExp(`"keeper","${site}",""$`));
    await visitor.press(`Only allowed by ${site}`);
    await eventually('the filter is gone', () => Promise.resolve(search() === ''));
  });

  it('names what is deleted as deleted', async () => {
    const other = await Organization.found(app);
    const { body } = await other.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [] });
    await other.call('DELETE', `/roles/${String(body['id'])}`);
    await visitor.goto(`/organizations/${other.id}/audit-trail`);
    await visitor.signIn(other.owner.person);
    const named = ['You deleted a role: Clerk (deleted)', 'You created a role: Clerk (deleted)'];
    await showsOnly(...named, 'You created the organization');
    await visitor.page.getByRole('button', { name: 'Clerk (deleted)' }).first().click();
    await showsOnly(...named);
    await visitor.press('Only about Clerk (deleted)');
  });

  it('is exported with the filters in force', async () => {
    await open('?action=role.created');
    const [head, line, ...rest] = await exported();
    expect(head).toBe(
      '\uFEFF"createdAt","actor","actorId","action","subject","subjectName","id","impersonatorId","ticket","byRole","byThing","byPartnership"',
    );
    expect(line).toMatch(
      new RegExp(
        `^"[\\d-]+T[\\d:.]+Z","Ada","${organization.owner.person.id}","role.created","iam/roles/\\w{26}","Driver","\\w{26}","","","","",""$`,
      ),
    );
    expect(rest).toEqual(['']);
    await visitor.reads('1 event exported');
  });

  it.each([
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\uFF1DSUM(A1)', `"'\uFF1DSUM(A1)"`],
    ['a,"b"', `"a,""b"""`],
  ])('exports the name %s as a text', async (name, cell) => {
    await app.sql('UPDATE accounts SET first_name = $2 WHERE id = $1', [grace.person.id, name]);
    await open('?action=member.joined');
    await visitor.page.getByRole('button', { name, exact: true }).first().waitFor();
    expect((await exported())[1]).toContain(`Z",${cell},"${grace.person.id}"`);
  });

  it.each([
    [250, 251, '251 events exported'],
    [5_050, 5_000, 'The newest 5,000 events were exported.'],
  ])('of %s events and one more exports %s', async (count, saved, said) => {
    const large = await Organization.found(app);
    await app.sql(
      `INSERT INTO audit_events (id, action, account_id, tenant_id, subject, created_at)
       SELECT '01K0' || lpad(n::text, 22, '0'), 'role.updated', $2, $1, 'iam/roles/x', now() - make_interval(secs => n)
       FROM generate_series($3::int * 10, $3::int * 10 + $3::int - 1) n`,
      [large.id, large.owner.person.id, count],
    );
    await visitor.goto(`/organizations/${large.id}/audit-trail`);
    await visitor.signIn(large.owner.person);
    await visitor.page.locator('.trail > li').first().waitFor();
    const lines = await exported();
    expect(lines).toHaveLength(1 + saved + 1);
    expect(new Set(lines).size).toBe(lines.length);
    await visitor.reads(said);
  });
});
