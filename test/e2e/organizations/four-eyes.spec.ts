import { OperatorService } from '../../../src/iam/index.js';
import type { OperatorRole } from '../../../src/kernel/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { type Answer, withApp } from '../../support/test-app.js';

const PEOPLE = '/api/v1/operator/people';
const ERASE = 'platform:person:erase';

interface Operator {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

const DAY_MS = 86_400_000;
const lifetimeMs = ({ requestedAt, expiresAt }: Record<string, unknown>): number =>
  Date.parse(expiresAt as string) - Date.parse(requestedAt as string);

describe('With four eyes, an erasure by an operator', () => {
  let first: Operator;
  let second: Operator;
  let person: Person;
  const app = withApp({ OPERATOR_FOUR_EYES: 'on' });
  beforeAll(async () => {
    first = await operator('admin');
    second = await operator('admin');
  });
  beforeEach(async () => {
    person = await Person.signUp(app);
  });

  const operators = () => app.app.get(OperatorService, { strict: false });
  const operator = async (role: OperatorRole): Promise<Operator> => {
    const { id, email, token } = await Person.signUp(app);
    await operators().grant(email, role);
    return { id, email, token: byTwoFactors(app, token) };
  };
  const erase = ({ token }: Operator): Promise<Answer> =>
    app.call('DELETE', `${PEOPLE}/${person.id}`, undefined, { token });
  const withdraw = ({ token }: Operator): Promise<Answer> =>
    app.call('DELETE', `${PEOPLE}/${person.id}/erasure-request`, undefined, { token });
  const probe = async ({ token }: Operator) => {
    const body = { subject: `gatehouse:///platform/people/${person.id}`, scopes: [ERASE] };
    return (await app.call('POST', '/api/auth/can', body, { token })).body[ERASE] as unknown;
  };
  const page = ({ token }: Operator): Promise<Answer> => app.get(`${PEOPLE}/${person.id}`, token);
  const isErased = async () =>
    (await app.sql('SELECT 1 FROM accounts WHERE id = $1 AND erased_at IS NULL', [person.id])).length === 0;
  const trailOf = async ({ id }: Operator) =>
    (
      await app.sql<{ action: string }>(
        'SELECT action FROM audit_events WHERE account_id = $1 AND subject = $2 ORDER BY id',
        [id, `iam/accounts/${person.id}`],
      )
    ).map(({ action }) => action);

  it('waits for a second operator, who erases the account', async () => {
    const { status, body } = await erase(first);
    expect([status, body['requestedBy']]).toEqual([202, first.id]);
    expect(lifetimeMs(body)).toBe(DAY_MS);
    expect(await isErased()).toBe(false);
    expect((await page(second)).body['erasure']).toMatchObject({
      requestedBy: first.id,
      requestedByName: 'Ada',
    });
    expect(await probe(second)).toMatchObject({ allowed: true });
    expect((await erase(second)).status).toBe(204);
    expect(await isErased()).toBe(true);
    expect(await trailOf(first)).toEqual(['person.erasure-requested']);
    expect(await trailOf(second)).toEqual(['person.read', 'person.erased']);
    expect(await app.sql('SELECT 1 FROM erasure_requests WHERE account_id = $1', [person.id])).toEqual([]);
  });

  it('is not confirmed by the operator who asked for it, nor by twenty requests at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => erase(first)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(19);
    const refused = await erase(first);
    expect(refused).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    expect(await probe(first)).toMatchObject({
      allowed: false,
      code: 'state_forbids',
      reason: refused.body['detail'],
    });
    expect(await isErased()).toBe(false);
  });

  it('is not asked for or confirmed by support', async () => {
    const support = await operator('support');
    expect(await erase(support)).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    await erase(first);
    expect((await erase(support)).status).toBe(403);
    expect((await withdraw(support)).status).toBe(403);
    expect(await isErased()).toBe(false);
  });

  it('is not asked for or confirmed by a program, whose key the first operator may hold', async () => {
    const made = await app.command('platform-account:create', '--name', 'Cleaner', '--role', 'admin');
    const id = String((made as { serviceAccountId: string }).serviceAccountId);
    const key = await app.command('platform-key:create', '--service-account', id, '--name', 'Nightly');
    const program = { id, email: '', token: String((key as { key: string }).key) };
    expect(await erase(program)).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    expect(await probe(program)).toMatchObject({ allowed: false, code: 'scope_not_held' });
    expect((await erase(first)).status).toBe(202);
    expect(await erase(program)).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    expect(await isErased()).toBe(false);
    expect((await withdraw(program)).status).toBe(204);
  });

  describe('by an admin whom another operator appointed', () => {
    const appointed = async (by: Operator): Promise<Operator> => {
      const { id, email, token } = await Person.signUp(app);
      const body = { email, role: 'admin' };
      const { status } = await app.call('POST', '/api/v1/operator/operators', body, { token: by.token });
      expect(status).toBe(201);
      return { id, email, token: byTwoFactors(app, token) };
    };
    const age = ({ id }: Operator, hours: number) =>
      app.sql(
        'UPDATE operators SET trusted_from = trusted_from - make_interval(hours => $2) WHERE account_id = $1',
        [id, hours],
      );
    const REFUSED = { status: 403, body: { code: 'state_forbids' } };

    it('is neither confirmed nor asked for on the day of the appointment', async () => {
      expect((await erase(first)).status).toBe(202);
      const alias = await appointed(first);
      const refused = await erase(alias);
      expect(refused).toMatchObject(REFUSED);
      expect(await probe(alias)).toMatchObject({
        allowed: false,
        code: 'state_forbids',
        reason: refused.body['detail'],
      });
      expect((await withdraw(first)).status).toBe(204);
      // The other way round: the second account asks, and the first one would confirm.
      expect(await erase(alias)).toMatchObject(REFUSED);
      expect(await isErased()).toBe(false);
    });

    it('is confirmed after that day, if it was asked for since', async () => {
      expect((await erase(first)).status).toBe(202);
      const other = await appointed(first);
      await age(other, 23);
      expect(await erase(other)).toMatchObject(REFUSED);
      await age(other, 1);
      // The request is older than the appointment counts.
      await app.sql("UPDATE erasure_requests SET created_at = created_at - interval '1 minute'");
      expect(await erase(other)).toMatchObject(REFUSED);
      expect((await withdraw(first)).status).toBe(204);
      expect((await erase(first)).status).toBe(202);
      expect((await erase(other)).status).toBe(204);
      expect(await isErased()).toBe(true);
    });
  });

  it('is not confirmed by an operator whom the command line appointed after the request', async () => {
    const promoted = await operator('support');
    expect((await erase(first)).status).toBe(202);
    const added = await operator('admin');
    await operators().grant(promoted.email, 'admin');
    for (const who of [added, promoted])
      expect(await erase(who)).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    expect(await isErased()).toBe(false);
    // Repeating a grant is no appointment.
    await operators().grant(second.email, 'admin');
    expect((await erase(second)).status).toBe(204);
  });

  it('is not confirmed by an operator whose rights another one has changed that day', async () => {
    const promoted = await operator('support');
    const promote = () =>
      app.call(
        'PUT',
        `/api/v1/operator/operators/${promoted.id}`,
        { role: 'admin', scopes: null },
        { token: first.token },
      );
    expect((await promote()).status).toBe(200);
    expect(await erase(promoted)).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    await app.sql(
      "UPDATE operators SET trusted_from = trusted_from - interval '1 day' WHERE account_id = $1",
      [promoted.id],
    );
    // The same rights again are no change.
    expect((await promote()).status).toBe(200);
    expect((await erase(first)).status).toBe(202);
    expect((await erase(promoted)).status).toBe(204);
    const changes = await app.sql(
      "SELECT 1 FROM audit_events WHERE account_id = $1 AND action = 'account.operator-changed'",
      [promoted.id],
    );
    expect(changes).toHaveLength(1);
  });

  it('is asked for again after a day, also by an operator appointed since', async () => {
    await erase(first);
    const added = await operator('admin');
    await app.sql('UPDATE erasure_requests SET expires_at = now() WHERE account_id = $1', [person.id]);
    expect((await page(second)).body['erasure']).toBeNull();
    expect(await erase(added)).toMatchObject({ status: 202, body: { requestedBy: added.id } });
    await app.sql('UPDATE erasure_requests SET expires_at = now() WHERE account_id = $1', [person.id]);
    expect(await erase(second)).toMatchObject({ status: 202, body: { requestedBy: second.id } });
    expect((await erase(first)).status).toBe(204);
  });

  it('is withdrawn by either of them, and then waits for two again', async () => {
    expect(await withdraw(second)).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    for (const who of [first, second]) {
      expect((await erase(first)).status).toBe(202);
      expect((await withdraw(who)).status).toBe(204);
    }
    expect(await trailOf(second)).toEqual(['person.erasure-withdrawn']);
    expect(await erase(second)).toMatchObject({ status: 202, body: { requestedBy: second.id } });
    expect(await isErased()).toBe(false);
  });

  it.each<[string, (who: Operator) => Promise<unknown>]>([
    ['is no operator any more', ({ email }) => operators().revoke(email)],
    ['may no longer erase', ({ email }) => operators().grant(email, 'admin', ['platform:person:read'])],
    ['has the lesser role', ({ email }) => operators().grant(email, 'support')],
  ])('lapses when who asked for it %s', async (_, degrade) => {
    const third = await operator('admin');
    expect((await erase(third)).status).toBe(202);
    await degrade(third);
    expect(await erase(second)).toMatchObject({ status: 202, body: { requestedBy: second.id } });
    expect(await isErased()).toBe(false);
  });
});
