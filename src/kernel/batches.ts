/**
 * Reads rows batch after batch, until one is empty.
 * @param read reads the rows after one, in order; the first ones without it
 */
export async function* batchesOf<T>(read: (last?: T) => Promise<T[]>): AsyncGenerator<T[]> {
  let batch = await read();
  while (batch.length > 0) {
    yield batch;
    batch = await read(batch.at(-1));
  }
}
