/** @service separate */
import '../../src/app.module.js';
import { AppError, declareErrors, errorCodes } from '../../src/platform/errors/index.js';
import { StrictBucket } from '../../src/platform/rate-limit/index.js';

const row = { status: 409, title: 'Shipment Lost', detail: 'The shipment is lost.', remedy: 'Report it.' };
const errors = declareErrors({ 'shipment-lost': row });

declare module '../../src/platform/errors/index.js' {
  interface ErrorCodes extends Readonly<typeof errors> {}
}

describe('Error codes', () => {
  it('are those of all modules, by status and name', () => {
    expect(errorCodes()).toEqual(expect.arrayContaining(['invalid-credentials', 'not-a-member', 'internal']));
    const [first] = errorCodes();
    expect([first, errorCodes().at(-1)]).toEqual(['validation-error', 'unavailable']);
  });

  it('may be added by a module of a team', () => {
    expect(new AppError('shipment-lost').detail).toBe('The shipment is lost.');
  });

  it('do not compile if no module declares them', () => {
    // @ts-expect-error -- not declared
    expect(() => new AppError('shipment-stolen')).toThrow('shipment-stolen is not declared');
  });

  it('are declared once', () => {
    expect(() => declareErrors({ conflict: row })).toThrow('conflict is declared twice');
  });
});

describe('Strict buckets', () => {
  it('are declared once', () => {
    expect(() => new StrictBucket('login', 'RATE_LOGIN')).toThrow('login is declared twice');
  });
});
