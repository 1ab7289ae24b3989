import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { PositionMap } from '../../src/position-map.js';

/** Built by `nest build`. */
const BUILT = 'dist/src/service.js';

describe('PositionMap', () => {
  it('finds what the map of Node finds, at each column of a file', () => {
    const text = readFileSync(`${BUILT}.map`, 'utf8');
    const [map, nodes] = [new PositionMap(text), new SourceMap(JSON.parse(text) as SourceMapPayload)];
    const lines = readFileSync(BUILT, 'utf8').trimEnd().split('\n').slice(0, -1);
    const places = lines.flatMap((text, line) => Array.from(text, (_, column) => [line, column] as const));
    expect(places.length).toBeGreaterThan(1_000);
    for (const [line, column] of places) {
      const { originalSource, originalLine, originalColumn } = nodes.findEntry(line, column) as NodesEntry;
      expect(map.originOf(line + 1, column + 1)).toEqual({
        source: originalSource,
        line: originalLine + 1,
        column: originalColumn + 1,
      });
    }
  });

  it('finds nothing before the first position, and in code from no source', () => {
    // Columns 4 (from the source), 6 (from none) and 8 of the second line.
    const map = new PositionMap(JSON.stringify({ sources: ['a.ts'], mappings: ';IAAA,E,EACE' }));
    const origins = [1, 5, 7, 9].map((column) => map.originOf(2, column));
    expect(origins).toEqual([
      null,
      { source: 'a.ts', line: 1, column: 1 },
      null,
      { source: 'a.ts', line: 2, column: 3 },
    ]);
    expect(map.originOf(1, 1)).toBeNull();
  });

  it('finds the same again', () => {
    const map = new PositionMap(JSON.stringify({ sources: ['a.ts'], mappings: 'AAAA' }));
    expect(map.originOf(1, 1)).toBe(map.originOf(1, 1));
  });

  it('refuses a text that is not JSON', () => {
    expect(() => new PositionMap('no map')).toThrow(SyntaxError);
  });
});

/** The types of Node name the method's empty result only. */
interface NodesEntry {
  readonly originalSource: string;
  readonly originalLine: number;
  readonly originalColumn: number;
}
