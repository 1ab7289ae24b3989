/** Returns the lines of a field that are not blank. */
export const linesOf = (values: FormData, name: string): string[] =>
  String(values.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
