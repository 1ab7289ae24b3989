/** What the log may say of a cause: name, SQLSTATE and stack. Not its other properties: a driver error holds parameters, which are personal data. */
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
