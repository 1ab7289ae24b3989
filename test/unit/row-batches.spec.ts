import { batchesOf } from '../../src/kernel/index.js';

describe('Rows that are read in batches', () => {
  const rows = [1, 2, 3, 4, 5];
  const readAfter = (last = 0) => Promise.resolve(rows.filter((row) => row > last).slice(0, 2));
  const collect = async (batches: AsyncGenerator<number[]>): Promise<number[][]> => {
    const all: number[][] = [];
    for await (const batch of batches) all.push(batch);
    return all;
  };

  it('are all read, each batch after the last row of the one before', async () => {
    expect(await collect(batchesOf(readAfter))).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('are none if the first batch is empty', async () => {
    expect(await collect(batchesOf<number>(() => Promise.resolve([])))).toEqual([]);
  });
});
