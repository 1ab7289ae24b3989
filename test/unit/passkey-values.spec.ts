import { isAssertion, isRegistration, transportsOf } from '../../src/authenticator/passkeys/credential.js';
import { toColumns } from '../../src/session/evidence/evidence.js';
import { SoftAuthenticator } from '../support/soft-authenticator.js';

const authenticator = new SoftAuthenticator('https://app.example');
const { credential: registration } = authenticator.register({
  ceremony: '',
  publicKey: { user: { id: 'dXNlcg' }, rp: { id: 'app.example' }, challenge: 'Y2hhbGxlbmdl' },
});
const { credential: assertion } = authenticator.assert({
  ceremony: '',
  publicKey: { rpId: 'app.example', challenge: 'Y2hhbGxlbmdl' },
});
const LONG = 'A'.repeat(16_385);
/** Values that are no base64url of the allowed length. */
const INVALID = [undefined, null, '', 7, {}, ['QQ'], 'QQ==', 'Q Q', 'Q+/', 'QQ\n', LONG];

type Credential = typeof registration | typeof assertion;
const withResponse = (of: Credential, changes: object) => ({
  ...of,
  response: { ...of.response, ...changes },
});

describe('The credential of a passkey', () => {
  it('has the shape that authenticators give it', () => {
    expect([isRegistration(registration), isAssertion(assertion)]).toEqual([true, true]);
    expect([isRegistration(assertion), isAssertion(registration)]).toEqual([false, false]);
  });

  it.each([null, undefined, 'text', 7, [registration], []])('is an object, not %j', (value) => {
    expect([isRegistration(value), isAssertion(value)]).toEqual([false, false]);
  });

  it('has the type of a public key, and one id', () => {
    for (const changes of [
      { type: 'password' },
      { type: undefined },
      { rawId: 'QUFB' },
      { id: 'QUFB' },
      { response: null },
      { response: [] },
      ...INVALID.map((id) => ({ id, rawId: id })),
      { id: 'A'.repeat(1_365), rawId: 'A'.repeat(1_365) },
    ])
      expect([
        isRegistration({ ...registration, ...changes }),
        isAssertion({ ...assertion, ...changes }),
      ]).toEqual([false, false]);
    const id = 'A'.repeat(1_364);
    expect(isAssertion({ ...assertion, id, rawId: id })).toBe(true);
  });

  it.each(['clientDataJSON', 'attestationObject'])('has a %s in base64url', (name) => {
    for (const value of INVALID)
      expect(isRegistration(withResponse(registration, { [name]: value }))).toBe(false);
    expect(isRegistration(withResponse(registration, { [name]: 'A'.repeat(16_384) }))).toBe(true);
  });

  it.each(['clientDataJSON', 'authenticatorData', 'signature'])('signs a %s in base64url', (name) => {
    for (const value of INVALID) expect(isAssertion(withResponse(assertion, { [name]: value }))).toBe(false);
  });

  it('may name its user, or none', () => {
    for (const userHandle of [undefined, null, '', 'dXNlcg'])
      expect(isAssertion(withResponse(assertion, { userHandle }))).toBe(true);
    for (const userHandle of [7, {}, 'Q=', LONG])
      expect(isAssertion(withResponse(assertion, { userHandle }))).toBe(false);
  });

  it('may list its transports, as texts', () => {
    for (const transports of [undefined, null, [], ['internal', 'smart-card'], [''], ['NFC', 'a b']])
      expect(isRegistration(withResponse(registration, { transports }))).toBe(true);
    for (const transports of ['usb', { 0: 'usb', length: 1 }, [7], [['usb']]])
      expect(isRegistration(withResponse(registration, { transports }))).toBe(false);
  });

  it('is reached by ten transports of valid names, each once', () => {
    expect(transportsOf(null)).toEqual([]);
    const unknown = ['', 'NFC', 'a b', 'usb', 'usb', 'x-new', 'a'.repeat(30), 'a'.repeat(31)];
    expect(transportsOf(unknown)).toEqual(['usb', 'x-new', 'a'.repeat(30)]);
    const many = [...'abcdefghijkl'];
    expect(transportsOf(many)).toEqual(many.slice(0, 10));
  });
});

describe('The evidence of a session', () => {
  const strengthOf = (...methods: string[]) => {
    const { amr, strengths, isAal2, isPhr, isTrustedDevice } = toColumns(
      methods.map((method) => ({ method })),
    );
    return { amr, strengths, isAal2, isPhr, isTrustedDevice };
  };
  const none = { isAal2: false, isPhr: false, isTrustedDevice: false };

  it.each([
    [['password'], { ...none, amr: ['pwd'], strengths: ['aal1'] }],
    [['oidc'], { ...none, amr: ['oidc'], strengths: ['aal1'] }],
    [['password', 'totp'], { ...none, amr: ['pwd', 'otp'], strengths: ['aal1', 'aal2'], isAal2: true }],
    [
      ['password', 'recovery_code'],
      { ...none, amr: ['pwd', 'otp'], strengths: ['aal1', 'aal2'], isAal2: true },
    ],
    [['passkey'], { ...none, amr: ['pop', 'user'], strengths: ['phr'], isAal2: true, isPhr: true }],
    [
      ['password', 'passkey', 'totp'],
      {
        ...none,
        amr: ['pwd', 'pop', 'user', 'otp'],
        strengths: ['aal1', 'phr', 'aal2'],
        isAal2: true,
        isPhr: true,
      },
    ],
    [
      ['password', 'trusted_device'],
      { ...none, amr: ['pwd'], strengths: ['aal1', 'aal1'], isTrustedDevice: true },
    ],
    [['totp', 'recovery_code'], { ...none, amr: ['otp'], strengths: ['aal2', 'aal2'], isAal2: true }],
  ])('by %j has the strength of its proofs', (methods, expected) => {
    expect(strengthOf(...methods)).toEqual(expected);
  });

  it('names the connection of an external sign-in, and none otherwise', () => {
    const { methods, connections } = toColumns([{ method: 'oidc', connectionId: 'one' }, { method: 'totp' }]);
    expect([methods, connections]).toEqual([
      ['oidc', 'totp'],
      ['one', ''],
    ]);
  });
});
