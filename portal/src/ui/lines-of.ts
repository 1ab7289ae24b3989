/** Returns the words of a field, between spaces, commas or line breaks. */
export const wordsOf = (values: FormData, name: string): string[] =>
  String(values.get(name) ?? '')
    .split(/[\s,;]+/)
    .filter((word) => word !== '');

/** Returns the lines of a field that are not blank. */
export const linesOf = (values: FormData, name: string): string[] =>
  String(values.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
