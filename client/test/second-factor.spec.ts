import { TestTotp } from '../../test/support/factors.js';
import { Person } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import { ProblemError } from '../src/index.js';
import { WatchedClient } from './support.js';

describe('Second factors of the client', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const refusal = async (work: Promise<unknown>): Promise<ProblemError> => {
    const error = await work.catch((thrown: unknown) => thrown);
    if (error instanceof ProblemError) return error;
    throw new Error('It was not refused.');
  };

  it('continue a login, and trust the device', async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    const client = new WatchedClient(app);
    const { code, secondFactor } = await refusal(client.login(person));
    expect([code, secondFactor]).toEqual([
      'second-factor-required',
      { challenge: expect.any(String), methods: ['totp', 'recovery_code'] },
    ]);
    expect(await client.isSignedIn()).toBe(false);
    const challenge = secondFactor?.challenge ?? '';
    const answer = { challenge, method: 'totp', rememberDevice: true } as const;
    const wrong = await refusal(client.submitSecondFactor({ ...answer, code: '000000' }));
    expect([wrong.code, wrong.secondFactor]).toEqual(['invalid-second-factor', null]);
    const { deviceToken, passwordShouldChange } = await client.submitSecondFactor({
      ...answer,
      code: totp.next(),
    });
    expect(passwordShouldChange).toBe(false);
    expect((await client.get('/api/v1/iam/me')).data.id).toBe(person.id);

    const again = new WatchedClient(app);
    await again.login({ ...person, deviceToken: deviceToken ?? '' });
    expect((await again.get('/api/v1/iam/me')).data.id).toBe(person.id);
  });

  it('tell of an unknown passkey', async () => {
    const client = new WatchedClient(app);
    const { data } = await client.post('/api/v1/iam/auth/passkeys/options', { body: {} });
    const id = 'mWq3hXo0b0y3f2mY7yq1b4Jx2Zk';
    const response = {
      clientDataJSON: 'e30',
      authenticatorData: 'AAAA',
      signature: 'AAAA',
      userHandle: 'AAAA',
    };
    const credential = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
    const { code, credentialKnown } = await refusal(
      client.signInWithPasskey({ ceremony: data.ceremony, credential }),
    );
    expect([code, credentialKnown]).toEqual(['invalid-credentials', false]);
    expect(
      (await refusal(client.login({ email: 'unknown@example.com', password: 'x' }))).credentialKnown,
    ).toBeNull();
  });
});
