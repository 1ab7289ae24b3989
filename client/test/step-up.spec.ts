import { signedInAgo } from '../../test/support/aged.js';
import { loginWith, TestTotp } from '../../test/support/factors.js';
import { Person } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import { memoryStorage, ProblemError, type OnStepUp } from '../src/index.js';
import { WatchedClient } from './support.js';

const RECENT_PASSWORD = { acr: 'aal1', maxAge: 600, methods: ['password'], enrol: false, ownProof: false };
const ERASE = '/api/v1/iam/auth/account';
const STEP_UP = 'POST /api/v1/iam/auth/step-up';

describe('Step-up of the client', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  /** A client that signed in eleven minutes ago. */
  async function aged(onStepUp?: OnStepUp): Promise<{ person: Person; client: WatchedClient }> {
    const person = await Person.signUp(app);
    const { refreshToken } = await signedInAgo(app, person);
    const storage = memoryStorage();
    await storage.write({ sessionId: person.sessionId, refreshToken });
    const client = new WatchedClient(app, { storage, ...(onStepUp && { onStepUp }) });
    return { person, client };
  }
  const refusal = async (work: Promise<unknown>): Promise<ProblemError> => {
    const error = await work.catch((thrown: unknown) => thrown);
    if (error instanceof ProblemError) return error;
    throw new Error('It was not refused.');
  };

  it('throws the required confirmation, typed', async () => {
    const { client } = await aged();
    const { code, stepUp, denial } = await refusal(client.delete(ERASE));
    expect({ code, stepUp, denial }).toEqual({
      code: 'insufficient-user-authentication',
      stepUp: RECENT_PASSWORD,
      denial: 'authentication_insufficient',
    });
    expect(client.sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect((await refusal(client.login({ email: 'unknown@example.com', password: 'x' }))).stepUp).toBeNull();
  });

  it('lets the user confirm, and sends the operation once more', async () => {
    const asked: unknown[] = [];
    const { person, client } = await aged((needed) => {
      asked.push(needed);
      return Promise.resolve({ method: 'password', password: person.password });
    });
    expect((await client.delete(ERASE)).status).toBe(204);
    expect(asked).toEqual([RECENT_PASSWORD]);
    expect(client.sent.slice(-3)).toEqual([`DELETE ${ERASE}`, STEP_UP, `DELETE ${ERASE}`]);
    expect(client.refreshes).toBe(1);
  });

  it('confirms by a second factor, which the password does not replace', async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    const answer = { method: 'totp', code: totp.next() };
    const { sessionId, refreshToken } = (await loginWith(app, person, answer)).body as unknown as Person;
    const aged = await signedInAgo(app, { sessionId, refreshToken });
    const storage = memoryStorage();
    await storage.write({ sessionId, refreshToken: aged.refreshToken });
    const asked: unknown[] = [];
    const client = new WatchedClient(app, {
      storage,
      onStepUp: (needed) => {
        asked.push(needed);
        return Promise.resolve({ method: 'totp', code: totp.next() });
      },
    });
    expect((await client.delete(ERASE)).status).toBe(204);
    expect(asked).toEqual([
      { acr: 'aal2', maxAge: 600, methods: ['totp', 'recovery_code'], enrol: false, ownProof: false },
    ]);
  });

  it('continues if the app has confirmed by itself', async () => {
    const { person, client } = await aged(async () => {
      await client.stepUp({ method: 'password', password: person.password });
      return 'confirmed';
    });
    expect((await client.delete(ERASE)).status).toBe(204);
  });

  it('asks the user once for concurrent operations', async () => {
    let asked = 0;
    const { person, client } = await aged(() => {
      asked += 1;
      return Promise.resolve({ method: 'password', password: person.password });
    });
    const id = await linked(person);
    const path = '/api/v1/iam/me/identities/{id}';
    const unlink = () => client.delete(path, { params: { path: { id } } });
    const outcomes = await Promise.allSettled([unlink(), unlink()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']); // it is gone by then
    expect(asked).toBe(1);
  });

  it('throws the refusal if the user declines', async () => {
    const { person, client } = await aged(() => Promise.resolve(null));
    expect((await refusal(client.delete(ERASE))).code).toBe('insufficient-user-authentication');
    expect(client.sent.filter((line) => line === STEP_UP)).toEqual([]);
    expect((await client.get('/api/v1/iam/me')).data.email).toBe(person.email);
  });

  it('throws the refusal of a wrong confirmation, and keeps the session', async () => {
    const { person, client } = await aged(() =>
      Promise.resolve({ method: 'password', password: 'a-wrong-harbour-9' }),
    );
    expect((await refusal(client.delete(ERASE))).code).toBe('invalid-credentials');
    expect((await client.get('/api/v1/iam/me')).data.email).toBe(person.email);
  });

  it('does not repeat the operation for a user who has signed in instead', async () => {
    const grace = await Person.signUp(app);
    const { client } = await aged(async () => {
      await client.login(grace);
      return 'confirmed';
    });
    await expect(client.delete(ERASE)).rejects.toThrow('replaced this session');
    expect(client.sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect((await client.get('/api/v1/iam/me')).data.id).toBe(grace.id);
  });

  /**
   * Links an identity next to the password.
   * @returns its id
   */
  async function linked({ id }: Person): Promise<string> {
    const identity = '01BX5ZZKBKACTAV9WEVGEMMVRZ';
    await app.sql(
      "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'oidc', 'env:oidc', 'https://idp.example.com', $1)",
      [identity, id],
    );
    return identity;
  }
});
