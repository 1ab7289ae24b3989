import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ceremonyOf, TestPasskey } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { bytes, type Forgery } from '../../support/soft-authenticator.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { withApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

/** Yubico's verifier judges each assertion as the service does: neither is made for the other. */
describeWith(['fido2-assert'], 'Assertions of passkeys', () => {
  let folder: string;
  const app = withApp();
  beforeAll(async () => {
    folder = temporaryFolder('fido2');
  });
  afterAll(() => rm(folder, { recursive: true }));

  type Assertion = Awaited<ReturnType<TestPasskey['answer']>>;

  /** Verifies as `fido2-assert -V` does, with user presence and verification. */
  const verifies = async (pem: string, { credential: { response } }: Assertion): Promise<boolean> => {
    const base64 = (value: Buffer) => value.toString('base64');
    const decoded = (value: string) => Buffer.from(value, 'base64url');
    const key = join(folder, 'key.pem');
    const parameters = join(folder, 'assertion');
    await writeFile(key, pem);
    const lines = [
      base64(createHash('sha256').update(decoded(response.clientDataJSON)).digest()),
      'gatehouse.test',
      base64(bytes(decoded(response.authenticatorData))),
      base64(decoded(response.signature)),
    ];
    await writeFile(parameters, `${lines.join('\n')}\n`);
    const verified = promisify(execFile)('fido2-assert', ['-V', '-pv', '-i', parameters, key, 'es256']);
    return verified.then(
      () => true,
      () => false,
    );
  };
  const altered = (text: string): string => {
    const data = Buffer.from(text, 'base64url');
    data.writeUInt8(data.readUInt8(data.length - 1) ^ 1, data.length - 1);
    return data.toString('base64url');
  };

  it.each<[string, Forgery, (assertion: Assertion) => void, boolean]>([
    ['as the authenticator made it', {}, () => undefined, true],
    ['of another site', { rpId: 'evil.test' }, () => undefined, false],
    ['without a person', { userPresent: false }, () => undefined, false],
    ['without user verification', { userVerified: false }, () => undefined, false],
    [
      'with a changed counter',
      {},
      ({ credential: { response } }) => (response.authenticatorData = altered(response.authenticatorData)),
      false,
    ],
    [
      'with a changed signature',
      {},
      ({ credential: { response } }) => (response.signature = altered(response.signature)),
      false,
    ],
    [
      'with changed client data',
      {},
      ({ credential: { response } }) => {
        const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as object;
        response.clientDataJSON = Buffer.from(JSON.stringify({ ...data, more: 1 })).toString('base64url');
      },
      false,
    ],
  ])('%s are judged alike', async (_, forgery, change, isRight) => {
    const { token } = await Person.signUp(app);
    const { authenticator } = await TestPasskey.enrol(app, token);
    const assertion = authenticator.assert(ceremonyOf(await app.post('passkeys/options', {})), forgery);
    change(assertion);
    expect(await verifies(authenticator.pem, assertion)).toBe(isRight);
    expect((await app.post('passkeys/login', assertion)).status).toBe(isRight ? 200 : 401);
  });

  it('by the key of another passkey are refused by both', async () => {
    const { token } = await Person.signUp(app);
    const passkey = await TestPasskey.enrol(app, token);
    const other = await TestPasskey.enrol(app, (await Person.signUp(app)).token);
    const assertion = await passkey.answer(app);
    const theirs = await other.answer(app);
    expect(await verifies(other.authenticator.pem, assertion)).toBe(false);
    const credential = { ...assertion.credential, response: theirs.credential.response };
    expect((await app.post('passkeys/login', { ...assertion, credential })).status).toBe(401);
  });
});
