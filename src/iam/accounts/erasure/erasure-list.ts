import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { UserId } from '../../../kernel/index.js';
import { AccountRepository } from '../account.repository.js';
import { ErasureService } from './erasure.service.js';

const PAGE_ROWS = 1_000;
const ErasureFile = z.object({ erased: z.array(z.ulid()) });

/** Who was erased, by ids that mean nothing to anybody else: kept outside the database, so that a backup from before does not bring people back. */
@Injectable()
export class ErasureList {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly erasure: ErasureService,
  ) {}

  async export(): Promise<{ erased: string[] }> {
    const erased: string[] = [];
    for (let page: string[]; ; erased.push(...page)) {
      page = await this.accounts.listErased(erased.at(-1) ?? '', PAGE_ROWS);
      if (page.length === 0) return { erased };
    }
  }

  /**
   * Erases again whoever is on the list and is there.
   * @param file what {@link export} gave
   */
  async replay(file: string): Promise<{ listed: number; erased: number }> {
    const list = ErasureFile.safeParse(await readJson(file));
    if (!list.success) throw new Error(`${file} is not a list that erasures:export has made.`);
    let erased = 0;
    for (const id of list.data.erased) if (await this.erasure.eraseAgain(id as UserId)) erased += 1;
    return { listed: list.data.erased.length, erased };
  }
}

/** Undefined for what is no JSON. */
async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
