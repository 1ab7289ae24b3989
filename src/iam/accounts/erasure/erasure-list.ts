import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { batchesOf, type UserId } from '../../../kernel/index.js';
import { AccountListRepository } from '../account-list.repository.js';
import { ErasureService } from './erasure.service.js';

const PAGE_ROWS = 1_000;
const ErasureFile = z.object({ erased: z.array(z.ulid()) });

/**
 * List of erased accounts, by surrogate ids. Operators keep it outside the database, so that an
 * erasure can be repeated after an older backup was restored.
 */
@Injectable()
export class ErasureList {
  constructor(
    private readonly accounts: AccountListRepository,
    private readonly erasure: ErasureService,
  ) {}

  /** @returns the ids of all erased accounts, in order */
  async export(): Promise<{ erased: string[] }> {
    const erased: string[] = [];
    const read = (last = '') => this.accounts.listErased(last, PAGE_ROWS);
    for await (const ids of batchesOf(read)) erased.push(...ids);
    return { erased };
  }

  /**
   * Erases the accounts on the list that exist again.
   * @param file path of a file that {@link export} made
   * @param onProgress called with the number of accounts that are done, and of all
   * @returns the number of ids on the list, and of accounts that were erased
   * @throws {Error} if the file is not such a list
   */
  async replay(
    file: string,
    onProgress: (done: number, all: number) => void = () => undefined,
  ): Promise<{ listed: number; erased: number }> {
    const list = ErasureFile.safeParse(await readJson(file));
    if (!list.success) throw new Error(`${file} is not a list that erasures:export has made.`);
    const ids = list.data.erased;
    let erased = 0;
    for (const [done, id] of ids.entries()) {
      onProgress(done, ids.length);
      if (await this.erasure.eraseAgain(id as UserId)) erased += 1;
    }
    return { listed: ids.length, erased };
  }
}

/** @returns undefined if the file is not JSON */
async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
