import { existsSync, readFileSync } from 'node:fs';

/** Number of requirements of levels 1 and 2 in each section of ASVS 5.0.0, but for V17 (WebRTC). */
const SECTIONS: readonly (readonly [section: string, requirements: number])[] = [
  ['1.1', 2],
  ['1.2', 9],
  ['1.3', 11],
  ['1.4', 3],
  ['1.5', 2],
  ['2.1', 3],
  ['2.2', 3],
  ['2.3', 4],
  ['2.4', 1],
  ['3.2', 2],
  ['3.3', 4],
  ['3.4', 6],
  ['3.5', 5],
  ['3.7', 2],
  ['4.1', 3],
  ['4.2', 1],
  ['4.3', 2],
  ['4.4', 4],
  ['5.1', 1],
  ['5.2', 3],
  ['5.3', 2],
  ['5.4', 3],
  ['6.1', 3],
  ['6.2', 12],
  ['6.3', 4],
  ['6.4', 4],
  ['6.5', 5],
  ['6.6', 3],
  ['6.8', 4],
  ['7.1', 3],
  ['7.2', 4],
  ['7.3', 2],
  ['7.4', 5],
  ['7.5', 2],
  ['7.6', 2],
  ['8.1', 2],
  ['8.2', 3],
  ['8.3', 1],
  ['8.4', 1],
  ['9.1', 3],
  ['9.2', 4],
  ['10.1', 2],
  ['10.2', 2],
  ['10.3', 4],
  ['10.4', 11],
  ['10.5', 5],
  ['10.6', 2],
  ['10.7', 3],
  ['11.1', 2],
  ['11.2', 3],
  ['11.3', 3],
  ['11.4', 4],
  ['11.5', 1],
  ['11.6', 1],
  ['12.1', 3],
  ['12.2', 2],
  ['12.3', 4],
  ['13.1', 1],
  ['13.2', 5],
  ['13.3', 2],
  ['13.4', 5],
  ['14.1', 2],
  ['14.2', 4],
  ['14.3', 3],
  ['15.1', 3],
  ['15.2', 3],
  ['15.3', 7],
  ['16.1', 1],
  ['16.2', 5],
  ['16.3', 4],
  ['16.4', 3],
  ['16.5', 3],
];

const page = ['docs/asvs.md', 'docs/asvs-6-7.md', 'docs/asvs-8-17.md']
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');
const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) +\|([^|]*)\| *(\w+) *\|([^|]*)\|$/gm)].map(
  ([, id = '', what = '', state = '', shown = '']) => ({
    id,
    what: what.trim(),
    state,
    shown: shown.trim(),
  }),
);

describe('The table of OWASP ASVS 5.0, level 2', () => {
  it('has every requirement of levels 1 and 2 once, in the order of the standard', () => {
    const expected = SECTIONS.flatMap(([section, count]) =>
      Array.from({ length: count }, (_, n) => `${section}.${n + 1}`),
    );
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });

  it('says of each what it asks, in what state it is, and of an open one why', () => {
    const bad = rows.filter(
      ({ what, state, shown }) =>
        what === '' ||
        !['met', 'operator', 'open', 'none'].includes(state) ||
        (state === 'open' && shown.length < 15 && !/^see \d+\.\d+\.\d+$/.test(shown)),
    );
    expect(bad).toEqual([]);
  });

  it('names files that exist', () => {
    const named = rows.flatMap(({ shown }) =>
      [...shown.matchAll(/`((?:src|test|docs)\/[^`]+)`/g)].map(([, file = '']) => file),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});
