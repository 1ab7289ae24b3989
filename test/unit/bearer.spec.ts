import type { IncomingMessage } from 'node:http';
import { bearerOf } from '../../src/platform/web/index.js';

const read = (...headers: string[]) =>
  bearerOf({ rawHeaders: headers.flatMap((value) => ['Authorization', value]) } as IncomingMessage);

describe('The token of a request', () => {
  it.each(['a==', '~a+/-._=', 'a.b.c'])('is the text %s after the scheme', (token) => {
    expect(read(`Bearer ${token}`)).toEqual({ token, isBound: false });
    expect(read(`bEARER   ${token}`)).toEqual({ token, isBound: false });
    expect(read(`dpop ${token}`)).toEqual({ token, isBound: true });
  });

  it.each([
    [[]],
    [['']],
    [['Bearer']],
    [['Bearer ']],
    [['Basic YWRhOng=']],
    [['Bearer a b']],
    [['Bearer =']],
    [['Bearer a=b']],
    [['Bearera']],
    [['my Bearer a']],
    [['Bearer ä']],
    [['Bearer a', 'Bearer a']],
  ])('is missing in %j', (headers) => {
    expect(read(...headers)).toBeNull();
  });
});
