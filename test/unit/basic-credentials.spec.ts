import { parseBasic } from '../../src/openid/token/client-authenticator.js';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('Credentials of a client', () => {
  it.each([
    ['client:secret', 'client', 'secret'],
    ['client:', 'client', ''],
    ['client:a:b', 'client', 'a:b'],
    ['my+client:a%2Bb%25+c', 'my client', 'a+b% c'],
    ['caf%C3%A9:%3A', 'café', ':'],
  ])('are read in form encoding: %s', (text, clientId, secret) => {
    expect(parseBasic(basic(text))).toEqual({ clientId, secret });
  });

  it.each([basic('client:%'), basic('%E0%A4:a'), basic('client'), 'Basic !', 'Bearer abc', ''])(
    'are refused in another form: %s',
    (authorization) => {
      expect(parseBasic(authorization)).toBeNull();
    },
  );
});
