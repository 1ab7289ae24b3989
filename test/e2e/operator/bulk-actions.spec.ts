import { OperatorService } from '../../../src/iam/index.js';
import { newId, type OperatorRole } from '../../../src/kernel/index.js';
import { BulkRun, BulkStep } from '../../../src/operator/bulk/bulk-run.service.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const PATH = '/api/v1/operator/bulk-actions';

interface Action {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly operatorName: string | null;
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  readonly tenantId: string | null;
  readonly tenantName: string | null;
}

describe('An action of operators for many people', () => {
  const app = withApp();
  let admin: { readonly id: string; readonly token: string };
  let support: typeof admin;
  beforeAll(async () => {
    [admin, support] = [await operator('admin'), await operator('support')];
  });

  const operators = () => app.app.get(OperatorService, { strict: false });
  const operator = async (role: OperatorRole) => {
    const person = await Person.signUp(app);
    await operators().grant(person.email, role);
    return { id: person.id, token: byTwoFactors(app, person.token) };
  };
  const start = (what: string, people: object, token = support.token) =>
    app.call('POST', `${PATH}/${what}`, people, { token });
  const list = async (token = support.token) => itemsOf<Action>(await app.get(PATH, token));
  const find = async (id: unknown) => (await list()).find((action) => action.id === id);
  /** Starts an action and waits for its end. */
  const run = async (what: string, people: object, { token } = support) => {
    const { status, body } = await start(what, people, token);
    expect(status).toBe(202);
    await eventually('it has ended', async () => (await find(body['id']))?.state !== 'running');
    return find(body['id']);
  };
  const isSignedIn = async ({ token }: Person) => (await app.get('/api/v1/iam/me', token)).status === 200;
  const people = (count: number) => Promise.all(Array.from({ length: count }, () => Person.signUp(app)));

  it('ends the sessions of people, each with a line in the trail, and tells how far it is', async () => {
    const [first, second, other] = (await people(3)) as [Person, Person, Person];
    const action = await run('end-sessions', { userIds: [second.id, first.id, first.id] });
    expect(action).toMatchObject({
      kind: 'end-sessions',
      state: 'finished',
      total: 2,
      done: 2,
      skipped: 0,
      tenantId: null,
    });
    expect(action?.operatorName).toBe('Ada');
    expect(await Promise.all([first, second, other].map(isSignedIn))).toEqual([false, false, true]);
    const trail = await app.sql(
      `SELECT action, subject FROM audit_events WHERE account_id = $1 AND action <> 'account.signed-in' ORDER BY id`,
      [support.id],
    );
    expect(trail).toEqual(
      expect.arrayContaining([
        { action: 'operator.bulk-action-started', subject: `platform/bulk-actions/${action?.id}` },
        { action: 'person.sessions-ended', subject: `iam/accounts/${first.id}` },
        { action: 'person.sessions-ended', subject: `iam/accounts/${second.id}` },
      ]),
    );
  });

  it('is for all members of an organization', async () => {
    const organization = await Organization.found(app);
    const { person: member } = await organization.join('member');
    const { id: tenantId } = organization;
    const named = { tenantId, tenantName: 'Lovelace Logistics' };
    expect(await run('end-sessions', { tenantId })).toMatchObject({
      total: 2,
      done: 2,
      skipped: 0,
      ...named,
    });
    expect(await isSignedIn(member)).toBe(false);
    expect(await isSignedIn(organization.owner.person)).toBe(false);
  });

  it('counts a person without a session whose pending sign-ins it voids, as the trail does', async () => {
    const [person] = (await people(1)) as [Person];
    const userIds = [person.id];
    await run('end-sessions', { userIds });
    expect(await run('end-sessions', { userIds })).toMatchObject({ total: 1, done: 1, skipped: 0 });
    const acts = await app.sql(
      `SELECT 1 FROM audit_events WHERE action = 'person.sessions-ended' AND subject = $1`,
      [`iam/accounts/${person.id}`],
    );
    expect(acts).toHaveLength(2);
  });

  it('counts a person for whom it fails, and goes on with the next', async () => {
    const some = await people(3);
    const [, failing] = some.map(({ id }) => id).sort();
    const step = app.app.get(BulkStep, { strict: false });
    const act = step.run.bind(step);
    const failed = jest.spyOn(step, 'run').mockImplementation(async (operatorId, kind, id) => {
      const outcome = await act(operatorId, kind, id);
      if (id === failing) throw new Error('always');
      return outcome;
    });
    const action = await run('end-sessions', { userIds: some.map(({ id }) => id) });
    failed.mockRestore();
    expect(action).toMatchObject({ state: 'finished', total: 3, done: 2, skipped: 0, failed: 1 });
    const left = await Promise.all(some.map(isSignedIn));
    expect(some.filter((_, n) => left[n]).map(({ id }) => id)).toEqual([failing]);
  });

  it('counts no other person as failed where the one for whom it fails leaves at that moment', async () => {
    const organization = await Organization.found(app);
    const members = [
      organization.owner,
      await organization.join('member'),
      await organization.join('member'),
    ];
    const [leaving] = members.map(({ person }) => person.id).sort();
    const step = app.app.get(BulkStep, { strict: false });
    const act = step.run.bind(step);
    const failed = jest.spyOn(step, 'run').mockImplementation(async (operatorId, kind, id) => {
      if (id !== leaving) return act(operatorId, kind, id);
      await app.sql('DELETE FROM members WHERE user_id = $1', [id]);
      throw new Error('a deadlock');
    });
    const action = await run('end-sessions', { tenantId: organization.id });
    failed.mockRestore();
    expect(action).toMatchObject({ state: 'finished', total: 3, done: 2, skipped: 0, failed: 0 });
  });

  it('tries a person again, without counting a failure, after the database was unavailable', async () => {
    const [person] = (await people(1)) as [Person];
    const step = app.app.get(BulkStep, { strict: false });
    const failed = jest
      .spyOn(step, 'run')
      .mockRejectedValueOnce(Object.assign(new Error('administrator command'), { code: '57P01' }));
    const action = await run('end-sessions', { userIds: [person.id] });
    failed.mockRestore();
    expect(action).toMatchObject({ state: 'finished', done: 1, failed: 0 });
    expect(await isSignedIn(person)).toBe(false);
  });

  it('leaves out operators, and people who are gone', async () => {
    const before = await list();
    const action = await run('end-sessions', { userIds: [admin.id, newId()] });
    expect(action).toMatchObject({ state: 'finished', total: 2, done: 0, skipped: 2 });
    expect((await app.get('/api/v1/iam/me', admin.token)).status).toBe(200);
    expect(await list()).toHaveLength(before.length + 1);
  });

  it('sends the newest mail of each again that can be sent, not to suspended people', async () => {
    const [first, suspended] = (await people(2)) as [Person, Person];
    await app.post('request-password-reset', { email: first.email });
    await app.mails(first.email, 2);
    const change = { currentPassword: suspended.password, newPassword: 'quiet-harbour-43' };
    const { token } = suspended;
    expect((await app.call('PUT', '/api/v1/iam/me/password', change, { token })).status).toBe(204);
    await app.mails(suspended.email, 2); // one that tells something, which a suspension does not void
    await app.call('POST', `/api/v1/operator/people/${suspended.id}/suspend`, undefined, {
      token: admin.token,
    });
    const action = await run('resend-mails', { userIds: [first.id, suspended.id] });
    expect(action).toMatchObject({ kind: 'resend-mails', total: 2, done: 1, skipped: 1 });
    const [, reset, again] = await app.mails(first.email, 3);
    expect(/token=\S+/.exec(again ?? '')?.[0]).toBe(/token=\S+/.exec(reset ?? '')?.[0]);
    const resent = await app.sql(
      `SELECT subject FROM audit_events WHERE account_id = $1 AND action = 'person.mail-resent'`,
      [support.id],
    );
    expect(resent).toEqual([{ subject: `iam/accounts/${first.id}` }]);
  });

  it('is one at a time for each operator, unless one has stood still for a day', async () => {
    const [person] = (await people(1)) as [Person];
    const mine = await operator('support');
    const begin = async (token = mine.token) =>
      (await start('end-sessions', { userIds: [person.id] }, token)).status;
    const id = newId();
    await app.sql(
      `INSERT INTO bulk_actions (id, operator_id, kind, total) VALUES ($1, $2, 'end-sessions', 1)`,
      [id, mine.id],
    );
    expect([await begin(), await begin(admin.token)]).toEqual([409, 202]);
    await app.sql("UPDATE bulk_actions SET updated_at = now() - interval '1 day' WHERE id = $1", [id]);
    expect((await Promise.all([begin(), begin(), begin()])).toSorted()).toEqual([202, 409, 409]);
  });

  it('stops when the operator loses the permission', async () => {
    const [lost, person] = (await people(2)) as [Person, Person];
    const id = newId();
    await app.sql(
      `INSERT INTO bulk_actions (id, operator_id, kind, total) VALUES ($1, $2, 'end-sessions', 1)`,
      [id, lost.id],
    );
    const job = { id, userIds: [person.id as never] };
    await app.app.get(BulkRun, { strict: false }).run(job, new AbortController().signal);
    expect(await find(id)).toMatchObject({ state: 'stopped', done: 0, skipped: 0 });
    expect(await isSignedIn(person)).toBe(true);
  });

  it('reads the permission where it was revoked, whatever this replica has cached', async () => {
    const [person] = (await people(1)) as [Person];
    const lost = await operator('support');
    expect((await app.get(PATH, lost.token)).status).toBe(200);
    const id = newId();
    await app.sql(
      `INSERT INTO bulk_actions (id, operator_id, kind, total) VALUES ($1, $2, 'end-sessions', 1)`,
      [id, lost.id],
    );
    await app.sql('DELETE FROM operators WHERE account_id = $1', [lost.id]);
    const job = { id, userIds: [person.id as never] };
    await app.app.get(BulkRun, { strict: false }).run(job, new AbortController().signal);
    expect(await find(id)).toMatchObject({ state: 'stopped', done: 0 });
    expect(await isSignedIn(person)).toBe(true);
  });

  it('goes on where an interrupted run has ended', async () => {
    const [first, second] = (await people(2)) as [Person, Person];
    const [done, next] = [first, second].sort((a, b) => (a.id < b.id ? -1 : 1)) as [Person, Person];
    const id = newId();
    await app.sql(
      `INSERT INTO bulk_actions (id, operator_id, kind, total, done, last_id) VALUES ($1, $2, 'end-sessions', 2, 1, $3)`,
      [id, support.id, done.id],
    );
    const job = { id, userIds: [done.id, next.id] as never };
    await app.app.get(BulkRun, { strict: false }).run(job, new AbortController().signal);
    expect(await find(id)).toMatchObject({ state: 'finished', done: 2, skipped: 0 });
    expect([await isSignedIn(done), await isSignedIn(next)]).toEqual([true, false]);
  });

  it('leaves the rest to a later run when the service stops', async () => {
    const [person] = (await people(1)) as [Person];
    const id = newId();
    await app.sql(
      `INSERT INTO bulk_actions (id, operator_id, kind, total) VALUES ($1, $2, 'end-sessions', 1)`,
      [id, support.id],
    );
    const job = { id, userIds: [person.id as never] };
    await app.app.get(BulkRun, { strict: false }).run(job, AbortSignal.abort());
    await eventually('the queued job has ended it', async () => (await find(id))?.state === 'finished');
    expect(await find(id)).toMatchObject({ done: 1 });
  });

  it('is started by a program of the platform too', async () => {
    const made = await app.command('platform-account:create', '--name', 'Helpdesk', '--role', 'support');
    const account = String((made as { serviceAccountId: string }).serviceAccountId);
    const { key } = (await app.command(
      'platform-key:create',
      '--service-account',
      account,
      '--name',
      'Nightly',
    )) as { key: string };
    const [person] = (await people(1)) as [Person];
    const action = await run('end-sessions', { userIds: [person.id] }, { id: account, token: key });
    expect(action).toMatchObject({ state: 'finished', done: 1, operatorName: null });
  });

  it('needs the permission of the same action for one person, as the permission check says', async () => {
    const restricted = await Person.signUp(app);
    await operators().grant(restricted.email, 'support', ['platform:person:resend-mail']);
    const token = byTwoFactors(app, restricted.token);
    const scopes = ['platform:person:end-sessions', 'platform:person:resend-mail'];
    const { body } = await app.call('POST', '/api/auth/can', { scopes }, { token });
    expect(body).toMatchObject({
      'platform:person:end-sessions': { allowed: false, code: 'scope_not_held' },
      'platform:person:resend-mail': { allowed: true },
    });
    const userIds = [restricted.id];
    expect((await start('end-sessions', { userIds }, token)).status).toBe(403);
    expect((await start('resend-mails', { userIds }, token)).status).toBe(202);
    expect((await app.get(PATH, token)).status).toBe(403);
    const [member] = (await people(1)) as [Person];
    expect((await start('end-sessions', { userIds }, member.token)).status).toBe(403);
  });

  it('names people by one field, and an organization that has members', async () => {
    for (const wrong of [{}, { userIds: [admin.id], tenantId: newId() }, { userIds: [] }, { userIds: ['x'] }])
      expect((await start('end-sessions', wrong)).status).toBe(400);
    const { body } = await start('end-sessions', { tenantId: newId() });
    expect(body['violations']).toEqual([expect.objectContaining({ propertyPath: 'tenantId' })]);
  });

  it('is forgotten after 90 days', async () => {
    const [person] = (await people(1)) as [Person];
    const action = await run('resend-mails', { userIds: [person.id] });
    const age = (days: number) =>
      app.sql('UPDATE bulk_actions SET created_at = now() - make_interval(days => $2) WHERE id = $1', [
        action?.id,
        days,
      ]);
    const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();
    await age(89);
    await cleanUp();
    expect(await find(action?.id)).toBeDefined();
    await age(91);
    await cleanUp();
    expect(await find(action?.id)).toBeUndefined();
  });
});
