import { OperatorService } from '../../../src/iam/index.js';
import { newId, type TenantId, type UserId } from '../../../src/kernel/index.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { CountRepository, Counts } from '../../../src/platform/counts/index.js';
import { Database } from '../../../src/platform/database/index.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { byTwoFactors, TestTotp } from '../../support/factors.js';
import { eventsAreNumbered } from '../../support/events.js';
import { Organization, Person } from '../../support/organization.js';
import { type Answer, eventually, TestApp, withApp } from '../../support/test-app.js';

const ROOT_SECRET = Buffer.alloc(32, 1).toString('base64');
const HOUR_MS = 3_600_000;

interface Series {
  readonly name: string;
  readonly value: string;
  readonly counts: readonly number[];
}

interface Chart {
  readonly from: string;
  readonly series: readonly Series[];
}

describe('Counts', () => {
  let other: TestApp;
  const app = withApp({ ROOT_SECRET, PORTAL: 'off' });
  beforeAll(async () => {
    other = await TestApp.start({ ROOT_SECRET, PORTAL: 'off', DATABASE_URL: app.databaseUrl });
  });
  afterAll(() => other.stop());

  const countsOf = (one: TestApp) => one.app.get(Counts, { strict: false });
  const flush = async () => {
    await eventsAreNumbered(app);
    for (const one of [app, other]) await countsOf(one).flush();
  };
  const overview = (organization: Organization, token?: string) =>
    organization.call('GET', '/overview', undefined, token);
  const chart = ({ body }: Answer, which: 'hours' | 'days' = 'hours') => body[which] as unknown as Chart;
  const total = (answer: Answer, name: string, value: string, which: 'hours' | 'days' = 'hours'): number => {
    const series = chart(answer, which).series.find((one) => one.name === name && one.value === value);
    return (series?.counts ?? []).reduce((sum, count) => sum + count, 0);
  };
  const signIn = (one: TestApp, { email, password }: Person) => one.post('login', { email, password });

  it('of sign-ins that run at once on two replicas are exact, of refused ones too', async () => {
    const organization = await Organization.found(app);
    const { person } = organization.owner;
    await flush();
    const before = await overview(organization);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const one = n % 2 === 0 ? app : other;
        const wrong = await one.post('login', { email: person.email, password: 'not the right one' });
        return [wrong.status, (await signIn(one, person)).status];
      }),
    );
    await flush();
    const after = await overview(organization);
    const added = (name: string, value: string) => total(after, name, value) - total(before, name, value);
    const right = answers.filter(([, status]) => status === 200).length;
    expect(right).toBeGreaterThan(0);
    expect(added('sign-in', 'password')).toBe(right);
    expect(added('sign-in-refused', 'invalid-credentials')).toBe(2 * answers.length - right);
    expect(total(after, 'sign-in', 'password', 'days')).toBe(total(after, 'sign-in', 'password'));
  });

  it('are in the organizations of the person only', async () => {
    const [mine, theirs] = [await Organization.found(app), await Organization.found(app)];
    const member = await mine.join('member');
    await flush();
    const before = [await overview(mine), await overview(theirs)];
    await signIn(app, member.person);
    await flush();
    const after = [await overview(mine), await overview(theirs)];
    const added = after.map(
      (one, n) => total(one, 'sign-in', 'password') - total(before[n] as Answer, 'sign-in', 'password'),
    );
    expect(added).toEqual([1, 0]);
    expect((await overview(mine, theirs.owner.token)).status).toBe(404);
  });

  it('of a transaction that is rolled back do not exist', async () => {
    const tally = countsOf(app).tally({ name: 'member', values: ['joined'] });
    const organization = await Organization.found(app);
    const count = () => tally.count('joined', { tenantId: organization.id as TenantId });
    const database = app.app.get(Database, { strict: false });
    await flush();
    const before = total(await overview(organization), 'member', 'joined');
    const failed = database.transaction(async () => {
      count();
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await database.transaction(async () => count());
    await flush();
    expect(total(await overview(organization), 'member', 'joined')).toBe(before + 1);
  });

  it('are in the hour and the day in which it happened, also around midnight', async () => {
    const organization = await Organization.found(app);
    const id = organization.id as TenantId;
    const tally = countsOf(app).tally({ name: 'session', values: ['ended'] });
    const midnight = Math.floor(Date.now() / (24 * HOUR_MS)) * 24 * HOUR_MS;
    tally.countFor(id, 'ended', new Date(midnight - 1));
    tally.countFor(id, 'ended', new Date(midnight));
    await flush();
    const rows = app.app.get(CountRepository, { strict: false });
    const since = new Date(midnight - 24 * HOUR_MS);
    const startsOf = async (span: 'hour' | 'day') =>
      (await rows.sum(id, span, ['session'], since))
        .map(({ startsAt, count }) => [startsAt.getTime(), count])
        .toSorted();
    expect(await startsOf('hour')).toEqual([
      [midnight - HOUR_MS, 1],
      [midnight, 1],
    ]);
    expect(await startsOf('day')).toEqual([
      [midnight - 24 * HOUR_MS, 1],
      [midnight, 1],
    ]);
    const { series, from } = chart(await overview(organization), 'days');
    const { counts } = series.find(({ name }) => name === 'session') as Series;
    expect(counts).toHaveLength(30);
    expect(counts.slice(-2)).toEqual([1, 1]);
    expect(new Date(from).getTime()).toBe(midnight - 29 * 24 * HOUR_MS);
  });

  it('wait where the database does not answer, and are written once', async () => {
    const organization = await Organization.found(app);
    const tally = countsOf(app).tally({ name: 'session', values: ['ended'] });
    const rows = app.app.get(CountRepository, { strict: false });
    await flush();
    const add = jest.spyOn(rows, 'add').mockRejectedValueOnce(new Error('away'));
    tally.count('ended', { tenantId: organization.id as TenantId });
    await expect(countsOf(app).flush()).rejects.toThrow('away');
    add.mockRestore();
    tally.count('ended', { tenantId: organization.id as TenantId });
    await flush();
    await flush();
    expect(total(await overview(organization), 'session', 'ended')).toBe(2);
  });

  it('are written by themselves within seconds, and at the end of a process', async () => {
    const organization = await Organization.found(app);
    const id = organization.id as TenantId;
    const count = (one: TestApp) =>
      countsOf(one)
        .tally({ name: 'session', values: ['ended'] })
        .count('ended', { tenantId: id });
    const third = await TestApp.start({ ROOT_SECRET, PORTAL: 'off', DATABASE_URL: app.databaseUrl });
    count(third);
    await third.stop();
    expect(total(await overview(organization), 'session', 'ended')).toBe(1);
    count(app);
    await eventually('the count is written', async () => {
      return total(await overview(organization), 'session', 'ended') === 2;
    });
  });

  it('have declared values only, and hold no id of a person', async () => {
    await flush();
    const rows = await app.sql<{ text: string }>(
      'SELECT DISTINCT name || value AS text FROM activity_counts ORDER BY 1',
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.filter(({ text }) => !/^[a-z_-]+$/.test(text))).toEqual([]);
    const named = await app.sql(
      `SELECT 1 FROM activity_counts c JOIN accounts a ON a.id IN (c.source, c.tenant_id, c.value)`,
    );
    expect(named).toEqual([]);
  });

  it('are kept as hours for 35 days, and as days for 400', async () => {
    const id = newId();
    await app.sql(
      `INSERT INTO activity_counts (tenant_id, span, name, starts_at, source, value, count)
       SELECT $1, s.span, 'sign-in', now() - make_interval(days => s.days), '', 'password', 1
       FROM (VALUES ('hour', 34), ('hour', 36), ('day', 399), ('day', 401)) AS s (span, days)`,
      [id],
    );
    await app.app.get(CleanupService, { strict: false }).run();
    const kept = await app.sql<{ span: string; days: number }>(
      `SELECT span, extract(day FROM now() - starts_at)::int AS days FROM activity_counts WHERE tenant_id = $1 ORDER BY 1`,
      [id],
    );
    expect(kept).toEqual([
      { span: 'day', days: 399 },
      { span: 'hour', days: 34 },
    ]);
    await app.sql('DELETE FROM activity_counts WHERE tenant_id = $1', [id]);
  });

  it('of an organization that does not exist any more are not written', async () => {
    const id = newId() as TenantId;
    const tally = countsOf(app).tally({ name: 'session', values: ['ended'] });
    tally.count('ended', { tenantId: id });
    tally.count('ended', { person: newId() as UserId });
    await flush();
    expect(await app.sql('SELECT 1 FROM activity_counts WHERE tenant_id = $1', [id])).toEqual([]);
  });

  describe('in an overview', () => {
    it('come with figures of the present', async () => {
      const organization = await Organization.found(app);
      await organization.join('member');
      await organization.call('POST', '/invitations', { email: 'late@example.com', roles: ['member'] });
      const { status, body } = await overview(organization);
      expect(status).toBe(200);
      expect(body['present']).toMatchObject({
        members: 2,
        membersWithSecondFactor: 0,
        suspendedMembers: 0,
        openInvitations: 1,
        connections: 0,
        directories: 0,
        webhooks: 0,
        requiresSecondFactor: false,
        endingAccess: 0,
      });
    });

    it('count what fails and who waits, each for its cause', async () => {
      const organization = await Organization.found(app);
      const { token } = await organization.join('member');
      await organization.call('POST', '/roles', { key: 'night', name: 'Night', scopes: ['iam:tenant:read'] });
      for (const hours of [2, 3])
        await organization.call('POST', '/access-requests', { role: 'night', hours, reason: 'Late' }, token);
      const present = async () => (await overview(organization)).body['present'];
      const waiting = await app.sql<{ id: string }>('SELECT id FROM access_requests WHERE tenant_id = $1', [
        organization.id,
      ]);
      expect(await present()).toMatchObject({ waitingAccessRequests: waiting.length });
      await app.sql(`UPDATE access_requests SET expires_at = now() WHERE tenant_id = $1 AND id = $2`, [
        organization.id,
        waiting[0]?.id,
      ]);
      const { id } = await LabConnection.active(organization, samlSettings(new SamlStandIn()));
      const failsBy = (error: string) =>
        app.sql('UPDATE connections SET last_error = $2 WHERE id = $1', [id, error]);
      await failsBy('not_provisioned'); // of one person
      for (const url of ['https://a.example.com/', 'https://b.example.com/'])
        await app.call(
          'POST',
          '/api/v1/webhooks/subscriptions',
          { url, types: ['iam.role.*'] },
          organization.owner,
        );
      const reasons = "CASE url WHEN 'https://a.example.com/' THEN 'by-user' ELSE 'gone' END";
      await app.sql(
        `UPDATE webhook_endpoints SET status = 'disabled', reason = ${reasons} WHERE tenant_id = $1`,
        [organization.id],
      );
      expect(await present()).toMatchObject({
        waitingAccessRequests: waiting.length - 1,
        failingConnections: 0,
        domainsWithoutRecord: 0,
        disabledWebhooks: 2,
        stoppedWebhooks: 1,
      });
      await failsBy('provider_unavailable');
      await app.sql('UPDATE tenant_domains SET missing_since = now() WHERE tenant_id = $1', [
        organization.id,
      ]);
      expect(await present()).toMatchObject({ failingConnections: 1, domainsWithoutRecord: 1 });
    });

    it('count second factors, and members who come and go', async () => {
      const organization = await Organization.found(app);
      const member = await organization.join('member');
      await TestTotp.enrol(app, organization.owner.person.token);
      await organization.call('DELETE', `/members/${member.person.id}`);
      await eventually('the events are counted', async () => {
        await flush();
        const answer = await overview(organization);
        return total(answer, 'member', 'left') === 1 && total(answer, 'factor', 'totp-added') === 1;
      });
      const answer = await overview(organization);
      expect(answer.body['present']).toMatchObject({ members: 1, membersWithSecondFactor: 1 });
      expect(total(answer, 'member', 'joined')).toBe(1);
    });

    it('are refused to a member without the scope', async () => {
      const organization = await Organization.found(app);
      await organization.call('POST', '/roles', { key: 'none', name: 'None', scopes: ['iam:tenant:read'] });
      const { token } = await organization.join('none');
      expect((await overview(organization, token)).status).toBe(403);
    });

    it('of the platform are for operators', async () => {
      const organization = await Organization.found(app);
      const { person } = organization.owner;
      const path = '/api/v1/operator/overview';
      expect((await app.get(path, person.token)).status).toBe(403);
      await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
      const token = byTwoFactors(app, person.token);
      for (let n = 0; n < 6; n += 1) await app.register(); // a mail each, by jobs
      await flush();
      const answer = await app.get(path, token);
      expect(answer.status).toBe(200);
      expect(answer.body['present']).toMatchObject({ replicas: expect.any(Number), failedJobs: 0 });
      expect(total(answer, 'sign-up', 'account')).toBeGreaterThan(5);
      expect(total(answer, 'mail', 'sent')).toBeGreaterThan(5);
      expect(total(answer, 'job', 'done')).toBeGreaterThan(5);
      expect(total(answer, 'sign-in', 'password')).toBeGreaterThan(20);
      const people = await app.sql<{ n: number }>('SELECT count(*)::int AS n FROM accounts');
      expect(answer.body['present']).toMatchObject({ people: people[0]?.n });
    });
  });
});
