/**
 * Whether this is the short form, which every change runs; the long form takes the time that the
 * acceptance test names.
 */
const isShort = Boolean(process.env['FAULTS_SHORT']);

/** Returns a length or a number of rounds by form. */
export function inForm<T>(short: T, long: T): T {
  return isShort ? short : long;
}
