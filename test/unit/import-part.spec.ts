import { readPart } from '../../portal/src/pages/operator/import-part.js';

/** Reads a file part by part, of at most eight bytes. */
async function partsOf(content: string): Promise<(readonly [text: string, lines: number])[]> {
  const file = new Blob([content]);
  const parts: (readonly [string, number])[] = [];
  for (let start = 0; start < file.size;) {
    const { bytes, lines, end } = await readPart(file, start, 8);
    parts.push([new TextDecoder().decode(bytes), lines]);
    start = end;
  }
  return parts;
}

describe('A part of an import', () => {
  it.each([
    [
      'has whole lines',
      'aaa\nbb\nccc\n',
      [
        ['aaa\nbb\n', 2],
        ['ccc\n', 1],
      ],
    ],
    [
      'counts blank lines',
      '\n\na\n\n\n\n\n\n\nb',
      [
        ['\n\na\n\n\n\n\n', 7],
        ['\n\nb', 2],
      ],
    ],
    ['ends with the file', 'aaa\nbbb', [['aaa\nbbb', 1]]],
    [
      'may be of the largest size',
      'aaa\nbbb\ncc',
      [
        ['aaa\nbbb\n', 2],
        ['cc', 0],
      ],
    ],
    [
      'cuts no character',
      'aaaa\nüüü\n',
      [
        ['aaaa\n', 1],
        ['üüü\n', 1],
      ],
    ],
    [
      'is the beginning of a longer line',
      'aaaaaaaaaaaaaaaaaaaa\nb\n',
      [
        ['aaaaaaaa', 1],
        ['b\n', 1],
      ],
    ],
    [
      'is the beginning of a longer last line',
      'a\nbbbbbbbbbbbb',
      [
        ['a\n', 1],
        ['bbbbbbbb', 1],
      ],
    ],
  ])('%s', async (_name, content, parts) => {
    expect(await partsOf(content)).toEqual(parts);
  });
});
