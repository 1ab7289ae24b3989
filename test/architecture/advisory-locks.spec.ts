import { globSync, readFileSync } from 'node:fs';

describe('Advisory locks of the database', () => {
  const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));

  it('have a number each: two purposes with one number wait for each other', () => {
    const numbers = sources.flatMap((source) =>
      [...source.matchAll(/_LOCK = ([\d_]+);/g)].map(([, number = '']) => number),
    );
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted());
  });

  it('have numbers that are written down: a computed one could be that of another purpose', () => {
    const computed = sources.flatMap((source) => source.match(/\w*_LOCK\s*[-+*].*/g) ?? []);
    expect(computed).toEqual([]);
  });
});
