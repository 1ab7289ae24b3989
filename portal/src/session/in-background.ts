/**
 * Lets work go on that a page does not wait for. What fails is reported to the console of the
 * browser; queries show their own errors.
 */
export function inBackground(work: Promise<unknown>): void {
  work.catch((error: unknown) => console.error('Work in the background failed.', error));
}
