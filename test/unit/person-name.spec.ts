import { changedParts, nameOf, NO_NAME, readName } from '../../src/iam/accounts/person-name.js';

const ADA = { firstName: 'Ada', lastName: 'Lovelace', displayName: null };

describe('The name of a person', () => {
  it.each([
    [ADA, 'Ada Lovelace'],
    [{ ...ADA, displayName: 'Countess' }, 'Countess'],
    [{ ...ADA, lastName: null }, 'Ada'],
    [{ ...ADA, firstName: null }, 'Lovelace'],
    [NO_NAME, null],
  ])('of %j is %s', (name, whole) => expect(nameOf(name)).toBe(whole));

  it('of another system has lines and ends removed, and is shortened', () => {
    expect(readName({ firstName: ' A\nda ', lastName: '  ', displayName: 7 })).toEqual({
      ...NO_NAME,
      firstName: 'A da',
    });
    expect(readName({ lastName: '\u{1f6a2}'.repeat(101) }).lastName).toBe('\u{1f6a2}'.repeat(100));
  });

  it('has a display name of another system only if it says something else', () => {
    const sent = { firstName: 'Ada', lastName: 'Lovelace' };
    expect(readName({ ...sent, displayName: ' Ada Lovelace' })).toEqual(ADA);
    expect(readName({ ...sent, displayName: 'ada@example.com' })).toEqual(ADA);
    expect(readName({ ...sent, displayName: 'Countess' }).displayName).toBe('Countess');
    expect(readName({ displayName: 'Ada' })).toEqual({ ...NO_NAME, displayName: 'Ada' });
  });

  it('changes in the parts that another system has changed', () => {
    const byron = { ...ADA, lastName: 'Byron', displayName: 'Ada B.' };
    expect(changedParts(byron, ADA)).toEqual({ lastName: 'Lovelace', displayName: null });
    expect(changedParts(ADA, ADA)).toEqual({});
    expect(changedParts(ADA, NO_NAME)).toEqual({});
  });
});
