/**
 * Returns whether the code of this folder is used. It is, unless a test sets TEST_FAST_PATH=off
 * before the application is created.
 */
export function usesFastPath(): boolean {
  return process.env['TEST_FAST_PATH'] !== 'off';
}
