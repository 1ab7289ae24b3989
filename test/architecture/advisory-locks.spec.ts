import { globSync, readFileSync } from 'node:fs';

describe('Advisory locks of the database', () => {
  it('have a number each: two purposes with one number wait for each other', () => {
    const numbers = globSync('src/**/*.ts').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/_LOCK = ([\d_]+);/g)].map(([, number = '']) => number),
    );
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted());
  });
});
