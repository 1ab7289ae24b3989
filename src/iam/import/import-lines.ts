/** Longest line; longer ones are reported, not read. */
const MAX_LINE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** A line that is not blank. */
export interface FileLine {
  /** From 1 on. */
  readonly number: number;
  /** Null if the line is too long or not UTF-8. */
  readonly text: string | null;
  /** Bytes up to its end. */
  readonly position: number;
}

/**
 * Splits a stream into lines, in little memory whatever its size and that of its lines.
 * @returns the lines that end in each chunk: a promise for each line would be half of their time
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<FileLine[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let parts: Buffer[] = [];
  let length = 0;
  let number = 0;
  let position = 0;
  const take = (): FileLine | null => {
    number += 1;
    const [whole, ...others] = parts;
    const bytes = whole && others.length === 0 ? whole : Buffer.concat(parts);
    const text = length > MAX_LINE_BYTES ? null : decoded(decoder, bytes);
    parts = [];
    length = 0;
    return text?.trim() === '' ? null : { number, text, position };
  };
  for await (const chunk of chunks) {
    const lines: FileLine[] = [];
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      length += part.length;
      if (length <= MAX_LINE_BYTES) parts.push(part);
      else parts = [];
      position += part.length + (end < 0 ? 0 : 1);
      start += part.length + 1;
      const line = end < 0 ? null : take();
      if (line) lines.push(line);
    }
    yield lines;
  }
  const last = take();
  if (last) yield [last];
}

/** @returns null for what is not UTF-8 */
function decoded(decoder: TextDecoder, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
