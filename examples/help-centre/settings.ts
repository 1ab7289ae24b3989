/**
 * Reads the settings of a program: environment variables, each with its meaning. Ends the program
 * and lists those that are missing, so that none is noticed by a visitor first.
 */
export function readSettings<Name extends string>(meanings: Record<Name, string>): Record<Name, string> {
  const names = Object.keys(meanings) as Name[];
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    const lines = missing.map((name) => `  ${name.padEnd(22)} ${meanings[name]}`);
    process.stderr.write(`Set these environment variables:\n${lines.join('\n')}\n`);
    process.exit(1);
  }
  return Object.fromEntries(names.map((name) => [name, process.env[name]])) as Record<Name, string>;
}
