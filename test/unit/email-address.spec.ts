import { domainToASCII } from 'node:url';
import { isEmail } from 'class-validator';
import { canonicalEmail, domainOf, isEmailAddress } from '../../src/kernel/index.js';

const PIECES = ['a', 'z9', 'xn', '-', '--', '.', '..', '+', '_', '0', 'com', '12', 'b'.repeat(31)];
const joined = (numbers: readonly number[]): string =>
  numbers.map((number) => PIECES[number % PIECES.length]).join('');
const someNumbers = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => Math.imul(seed + n * 7_919, 2_654_435_761) >>> 8);

describe('An address', () => {
  it.each([
    'ada@example.com',
    'ada.b+c_d-e@mail.example.co.uk',
    `${'a'.repeat(64)}@example.com`,
    `ada@${'b'.repeat(63)}.com`,
    'Ada@Example.com',
    'ada@1.example.com',
  ])('is accepted: %s', (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  it.each([
    'ada',
    'ada@example',
    'ada@example.123',
    'ada@example.c',
    'ada@-example.com',
    'ada@example-.com',
    'ada..b@example.com',
    '.ada@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'b'.repeat(64)}.com`,
    'ada@example.com\n',
    'ada@b@example.com',
  ])('is refused: %s', (address) => {
    expect(isEmailAddress(address)).toBe(false);
  });

  it('is compared in lower case, with a domain in ASCII', () => {
    expect(canonicalEmail('ada@example.com')).toBe('ada@example.com');
    expect(canonicalEmail('Ada@Münich.example')).toBe('ada@xn--mnich-kva.example');
    expect(canonicalEmail('ada@EXAMPLE.com')).toBe('ada@example.com');
  });

  it('has a domain that is compared in ASCII, and none if it is not one', () => {
    expect(domainOf('x@bücher.example')).toBe('xn--bcher-kva.example');
    expect(domainOf('x@XN--BCHER-KVA.example')).toBe('xn--bcher-kva.example');
    expect(domainOf('x@bu\u0308cher.example')).toBe('xn--bcher-kva.example');
    expect(domainOf('x@corp.example/evil')).toBe('');
    expect(domainOf('x@corp%2eexample')).toBe('');
    expect(domainOf('x@corp\t.example')).toBe('');
  });

  it('is judged as by the library, where it is usual', () => {
    for (let seed = 0; seed < 20_000; seed += 1) {
      const local = joined(someNumbers(seed, 1 + (seed % 4)));
      const domain = `${joined(someNumbers(seed + 31, 1 + (seed % 5)))}.com`;
      const address = `${local}@${domain}`;
      const ascii = domainToASCII(domain);
      const expected = ascii !== '' && isEmail(`${local}@${ascii}`, { allow_utf8_local_part: false });
      expect([address, isEmailAddress(address)]).toEqual([address, expected]);
      if (expected) expect(canonicalEmail(address)).toBe(`${local}@${ascii}`);
    }
  });
});
