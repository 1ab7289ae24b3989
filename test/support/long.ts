/** Whether this is a long run: `npm run test:long`, `test:browser` or `test:faults`. */
export const LONG = process.env['TEST_LONG'] === '1';

/**
 * Number of rounds of a race or of random cases: few in `npm test`, all of them in `npm run
 * test:long`. A spec that calls it and opens no browser is listed in jest.long.config.cjs, so that
 * both run it.
 */
export function roundsOf({ short, long }: { readonly short: number; readonly long: number }): number {
  return LONG ? long : short;
}
