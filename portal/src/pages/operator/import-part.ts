/**
 * Size of a part. Half of what the service takes, so that a request with memberships ends before
 * proxies give up, and the progress moves.
 */
const PART_BYTES = 512 * 1024;
const NEWLINE = 0x0a;

/** Whole lines of a file. */
interface ImportPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Number of lines that it ends. */
  readonly lines: number;
  /** Where the next part begins, in bytes of the file. */
  readonly end: number;
}

/**
 * Reads the next lines of a file. Of a line longer than a part, returns the beginning alone,
 * which the service refuses as too long.
 * @param start in bytes, at the beginning of a line
 * @throws {DOMException} if the file was changed or removed
 */
export async function readPart(file: Blob, start: number, maxBytes = PART_BYTES): Promise<ImportPart> {
  const bytes = await readBytes(file, start, maxBytes);
  const end = start + bytes.length;
  if (end >= file.size) return { bytes, lines: countLines(bytes), end };
  const cut = bytes.lastIndexOf(NEWLINE) + 1;
  if (cut === 0) return { bytes, lines: 1, end: await findEndOfLine(file, end, maxBytes) };
  const whole = bytes.subarray(0, cut);
  return { bytes: whole, lines: countLines(whole), end: start + cut };
}

async function findEndOfLine(file: Blob, from: number, maxBytes: number): Promise<number> {
  for (let start = from; start < file.size; start += maxBytes) {
    const at = (await readBytes(file, start, maxBytes)).indexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
  }
  return file.size;
}

const readBytes = async (file: Blob, start: number, length: number) =>
  new Uint8Array(await file.slice(start, start + length).arrayBuffer());

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
