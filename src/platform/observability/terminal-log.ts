/** Names of pino's levels, and their colors by ANSI. */
const LEVELS: Readonly<Record<number, readonly [name: string, color: number]>> = {
  10: ['trace', 90],
  20: ['debug', 36],
  30: ['info', 32],
  40: ['warn', 33],
  50: ['error', 31],
  60: ['fatal', 31],
};
/** Fields that are shown in their own way, or not at all. */
const KNOWN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'context', 'err']);
// oxlint-disable-next-line no-control-regex -- a message must not move the cursor
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/**
 * Returns a line of the log for a person at a terminal: time, level, message, fields, and below it
 * the stack of an error.
 * @param json a line of pino
 */
export function readable(json: string): string {
  const line = JSON.parse(json) as Record<string, unknown> & { level: number; time: number };
  const [name, color] = LEVELS[line.level] ?? [String(line.level), 0];
  const time = new Date(line.time).toTimeString().slice(0, 8);
  const fields = Object.entries(line)
    .filter(([key]) => !KNOWN.has(key))
    .map(([key, value]) => `\u001B[90m${key}=\u001B[0m${JSON.stringify(value)}`);
  const level = `\u001B[${color}m${name.padEnd(5)}\u001B[0m`;
  const message = typeof line['msg'] === 'string' ? [line['msg'].replace(CONTROL, '')] : [];
  const { stack } = (line['err'] ?? {}) as { stack?: string };
  const below = stack === undefined ? '' : `\n${stack.replace(CONTROL, '')}`;
  return `${[time, level, ...message, ...fields].join(' ')}${below}\n`;
}

/** Destination of pino that writes lines for a person. */
export const terminalLog = (output: NodeJS.WritableStream): { write(json: string): void } => ({
  write(json) {
    output.write(readable(json));
  },
});
