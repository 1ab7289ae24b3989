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
    expect(requireCode({ code: '492039' })).toBe('492039');
    expect(refusalOf(() => requireCode({}))).toEqual(['code']);
  });

  it('has a ceremony and a credential, or is refused on what is missing', () => {
    expect(requireAssertion({ ceremony: 'one', credential })).toEqual({ ceremony: 'one', credential });
    expect(refusalOf(() => requireAssertion({ ceremony: 'one' }))).toEqual(['credential']);
    expect(refusalOf(() => requireAssertion({ credential }))).toEqual(['ceremony']);
    expect(refusalOf(() => requireAssertion({}))).toEqual(['ceremony', 'credential']);
  });
});
