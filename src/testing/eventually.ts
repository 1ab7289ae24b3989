/** Less than the usual 30 s of a test, so that the error names what was waited for. */
const PATIENCE_MS = 25_000;

/** Repeats the check until it is true. */
export async function eventually(
  what: string,
  ask: () => Promise<boolean> | boolean,
  limitMs = PATIENCE_MS,
): Promise<void> {
  for (const limit = Date.now() + limitMs; !(await ask());) {
    if (Date.now() > limit) throw new Error(`Not within ${limitMs} ms: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
