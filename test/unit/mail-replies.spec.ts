import { replyWithout } from '../../src/platform/mail/mail-records.js';

describe('A reply of a mail server, as it is recorded', () => {
  it.each([
    ['550 5.1.1 <ada@example.com>: no such user', '550 5.1.1 <…>: no such user'],
    ['550 mailbox ada is full', '550 mailbox … is full'],
    ['550 ADA@Example.com is unknown', '550 … is unknown'],
    ['550 adam is another person', '550 adam is another person'],
    ['550 one\r\n550\u0000\ttwo ', '550 one 550 two'],
    ['', null],
    [null, null],
    [7, null],
  ])('of %j is %j: one line, without the address', (reply, recorded) => {
    expect(replyWithout('ada@example.com', reply)).toBe(recorded);
  });

  it('takes an address as text, and has three hundred characters', () => {
    expect(replyWithout('a.b+c@example.com', '550 axb+c and a.b+c@example.com')).toBe('550 axb+c and …');
    expect(replyWithout('ada@example.com', 'x'.repeat(400))).toBe('x'.repeat(300));
  });
});
