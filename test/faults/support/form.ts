/** Whether this is the short form, which every change runs; the long form takes as long as the acceptance test says. */
const isShort = Boolean(process.env['FAULTS_SHORT']);

/** A length, a number of rounds: small in the short form. */
export function inForm<T>(short: T, long: T): T {
  return isShort ? short : long;
}
