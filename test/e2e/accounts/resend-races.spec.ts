import { Client } from 'pg';
import { ulid } from 'ulid';
import { roundsOf } from '../../support/long.js';
import { eventually, withApp } from '../../support/test-app.js';

/** A pending registration is copied for a further link while its account is created and erased. */
describe('A resent verification mail', () => {
  const app = withApp();

  const password = 'quiet-harbour-42';
  async function registered(): Promise<{ email: string; token: string }> {
    const email = `${ulid().toLowerCase()}@example.com`;
    await app.post('register', { email, password, firstName: 'Ada' });
    return { email, token: await app.mailedToken(email) };
  }
  const resend = (email: string) => app.post('resend-verification', { email });
  /** Verifies the address, signs in and erases the account. */
  async function comesAndGoes(email: string, token: string): Promise<void> {
    expect((await app.post('verify-email', { token })).status).toBe(204);
    const { accessToken } = await app.login({ email, password });
    const erased = await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
    expect(erased.status).toBe(204);
  }
  async function expectNothingOf(email: string): Promise<void> {
    await eventually(
      'no job is left',
      async () => (await app.sql('SELECT 1 FROM graphile_worker.jobs WHERE run_at <= now()')).length === 0,
    );
    expect(await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1', [email])).toEqual([]);
    await app.passHourAfterErasure();
    // A decoy of a later request may be there: it names no account.
    expect(await app.sql("SELECT 1 FROM outgoing_mails WHERE kind <> 'decoy'")).toEqual([]);
    expect(await app.mailFiles()).toEqual([]);
  }

  it('restores no data of an account that was created and erased concurrently', async () => {
    const { email, token } = await registered();
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE outgoing_mails IN SHARE MODE'); // the mail is composed, and cannot be stored yet
    await resend(email);
    await eventually('the mail is composed', async () => (await app.waitingForLocks()) === 1);
    let gone = false;
    const going = comesAndGoes(email, token).finally(() => (gone = true));
    await eventually(
      'the erasure waits, or is done',
      async () => gone || (await app.waitingForLocks()) === 2,
    );
    await other.query('COMMIT');
    await other.end();
    await going;
    await expectNothingOf(email);
  });

  it('restores no data when requested many times while the account is created and erased', async () => {
    for (let round = 0; round < roundsOf({ short: 3, long: 10 }); round += 1) {
      const { email, token } = await registered();
      await Promise.all([comesAndGoes(email, token), ...Array.from({ length: 8 }, () => resend(email))]);
      await expectNothingOf(email);
    }
  });
});
