import { Injectable } from '@nestjs/common';
import { MarkedMethods } from '../discovery/index.js';
import { JobHandler } from '../jobs/index.js';
import { CLEANUP } from './cleanup.decorator.js';

type CleanupMethod = () => Promise<boolean | void>;

/** By then a job is done well before it would be held for lost (JobPresence); what is left has its turn in ten minutes. */
const LONGEST_MS = 180_000;

/** Calls whoever keeps rows that expire. Each owner says by {@link Cleanup} what goes and when; nobody else knows their tables. */
@Injectable()
export class CleanupService {
  constructor(private readonly marked: MarkedMethods) {}

  /** Who had no time for all of it has another turn after the others. One that fails does not keep them from their work; the job is tried again for it. */
  @JobHandler({ task: 'housekeeping', schedule: '*/10 * * * *' })
  async run(): Promise<void> {
    const failures: unknown[] = [];
    const until = performance.now() + LONGEST_MS;
    let turn = [...this.marked.find<true, CleanupMethod>(CLEANUP)].map(({ method }) => method);
    while (turn.length > 0 && performance.now() < until) {
      const unfinished: CleanupMethod[] = [];
      for (const cleanUp of turn) {
        const more = await cleanUp().catch((error: unknown) => void failures.push(error));
        if (more === true) unfinished.push(cleanUp);
      }
      turn = unfinished;
    }
    if (failures.length > 0) throw failures[0];
  }
}
