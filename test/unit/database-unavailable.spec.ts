import { toAppError } from '../../src/platform/errors/to-app-error.js';

const failed = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('A statement that failed', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EHOSTDOWN',
    'ENETDOWN',
    'ENOTFOUND',
    '57P01',
    '25006',
    '40001',
  ])('is answered 503, to be tried again, after %s', (code) => {
    for (const error of [failed(code), new AggregateError([failed('EINVAL'), failed(code)])])
      expect(toAppError(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
  });

  it.each(['42601', '23505', 'EINVAL'])('is an error of the service after %s', (code) => {
    expect(toAppError(failed(code))).toMatchObject({ code: 'internal' });
  });
});
