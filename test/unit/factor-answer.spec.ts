import { requireAssertion, requireCode } from '../../src/authenticator/factor-answer.js';

const credential = {};
const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { violations?: readonly { propertyPath: string }[] }).violations?.map(
      ({ propertyPath }) => propertyPath,
    );
  }
};

describe('The answer of a second factor', () => {
  it('has a code, or is refused on that field', () => {
    expect(requireCode({ code: ' 492 039' }, 'totp')).toBe('492039');
    expect(refusalOf(() => requireCode({}, 'totp'))).toEqual(['code']);
    expect(refusalOf(() => requireCode({ code: '7GX2M-9KQ4T' }, 'email_code'))).toEqual(['code']);
    expect(requireCode({ code: '7gx2m-9kqo1' }, 'recovery_code')).toBe('7GX2M9KQ01');
    expect(refusalOf(() => requireCode({ code: '492039' }, 'recovery_code'))).toEqual(['code']);
  });

  it('has a ceremony and a credential, or is refused on what is missing', () => {
    expect(requireAssertion({ ceremony: 'one', credential })).toEqual({ ceremony: 'one', credential });
    expect(refusalOf(() => requireAssertion({ ceremony: 'one' }))).toEqual(['credential']);
    expect(refusalOf(() => requireAssertion({ credential }))).toEqual(['ceremony']);
    expect(refusalOf(() => requireAssertion({}))).toEqual(['ceremony', 'credential']);
  });
});
