import { quotedName } from '../../src/platform/mail/mail-template.js';

describe('A name in a mail', () => {
  it.each([
    ['Ren\u00e9e O\u2019Neil-Ma\u00dfmann'],
    ["D'Arcy"],
    ['\u0110\u1eb7ng Th\u1ecb'],
    ['\u042f\u043d'],
    ['\u0915\u094d\u0937\u093f\u0924\u093f\u091c'], // Devanagari
    ['\u1019\u103c\u102d\u102f\u1037'], // Burmese: four marks at one letter
    ['\u0d2a\u0d4d\u0d30\u0d3f\u0d2f\u0d19\u0d4d\u0d15'], // Malayalam
    ['\u0e2a\u0e21\u0e0a\u0e32\u0e22'], // Thai
    ['\u30df\u30ce\u30eb'], // Katakana with a letter like a slash
    ['\u5c71\u7530 \u592a\u90ce\u3055\u3093'],
    ['\uae40\ubbfc\uc218'],
    ['\u05e9\u05b8\u05c1\u05e8\u05b8\u05d4'], // Hebrew with points
    ['Studio 54'],
    ['Lager 3 Halle 12'],
    ['B2B Freight'],
    ['3M'],
    ['Brauerei 1516'],
  ])('is shown unchanged: %s', (name) => {
    expect(quotedName(name)).toBe(`\u201c${name}\u201d`);
  });

  it.each([
    ['dots and slashes', 'http://evil.example/x', 'http evil example x'],
    ['the address sign and digits', 'eve@evil 0900', 'eve evil'],
    ['a telephone number', 'Call 1800 555 123 now', 'Call now'],
    ['a telephone number without groups', 'Call 18005 now', 'Call now'],
    ['a telephone number with strokes', 'Call 1800/555-123', 'Call'],
    ['a telephone number with invisible characters', 'Call 1800\u200b555', 'Call'],
    ['a telephone number that begins with zero', 'Call 0900', 'Call'],
    ['compatibility dots and slashes', 'evil\uff0eexample\uff0fx\u2024y', 'evil example x y'],
    ['fraction and division slashes', 'a\u2044b\u2215c\u29f8d', 'a b c d'],
    [
      'letters of Lisu like dots',
      'evil\ua4f8example\ua4f9x\ua4fay\ua4fbz\ua4fcv\ua4fdw',
      'evil example x y z v w',
    ],
    ['letters of Latin like a dot, a colon, a stroke', 'a\ua78fb\u02d0c\u02d1d\u01c0e\u01c3f', 'a b c d e f'],
    ['digits of Arabic like a dot', 'a\u0660b\u06f0c', 'a b c'],
    ['a musical dot', 'a\u{1d16d}b', 'a b'],
    ['a kana repeat mark like a slash', '\u30df\u3033\u30eb', '\u30df \u30eb'],
    ['a slash over a letter', 'ab\u0338c', 'ab c'],
    ['a letter like a slash between those of another script', 'evil\u30celogin', 'evil \u30ce login'],
    ['letters of two scripts in a word', '\u0440\u0430ypal', '\u0440\u0430 ypal'],
    ['invisible letters', 'A\u3164\u115f\u1160\uffa0\u2800\u17b4B', 'A B'],
    ['invisible characters', 'A\u200b\u200d\u00ad\u034f\ufe0fB\u{e0041}C', 'A B C'],
    ['directions', 'eve\u202egnp', 'eve gnp'],
    ['stacked marks', `Z${'\u0301'.repeat(30)}algo`, '\u0179\u0301\u0301algo'],
    ['stacked marks of a script', `\u0e01${'\u0e47'.repeat(30)}\u0e02`, `\u0e01${'\u0e47'.repeat(4)} \u0e02`],
    ['enclosing marks', 'a\u20ddb', 'a b'],
  ])('is shown without %s', (_, name, shown) => {
    expect(quotedName(name)).toBe(`\u201c${shown}\u201d`);
  });

  it.each([
    ['of invisible letters alone', '\u3164\u115f\u1160\uffa0'],
    ['of apostrophes alone', "''--"],
    ['of marks alone', '\u0301\u0301'],
    ['of a script of limited use', '\ua4d0\ua4f8'],
    ['without anything', ''],
  ])('%s cannot be shown', (_, name) => {
    expect(quotedName(name)).toBeNull();
  });

  it('is at most 40 characters long', () => {
    expect(quotedName('a'.repeat(100))).toBe(`\u201c${'a'.repeat(40)}\u201d`);
  });

  it('of hostile text takes no time', () => {
    const before = performance.now();
    for (const part of ["'-", 'a\u0301', '\u3164', "a'", '\u0e47', '1', '1 '])
      quotedName(part.repeat(50_000));
    expect(performance.now() - before).toBeLessThan(8_000); // what backtracks takes minutes
  });
});
