/**
 * Describes a cause for the log by name, SQLSTATE and stack. Omits its other properties: an error
 * of the driver holds statement parameters, which are personal data.
 */
export function describeCause(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : typeof cause;
  const code = (cause as { code?: unknown }).code;
  return {
    name: cause.name,
    code,
    message: code === undefined ? cause.message : undefined,
    frames: framesOf(cause),
  };
}

function framesOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}
