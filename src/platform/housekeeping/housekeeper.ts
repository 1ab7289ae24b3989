import { Injectable } from '@nestjs/common';
import { MarkedMethods } from '../discovery/index.js';
import { JobHandler } from '../jobs/index.js';
import { TIDIES } from './tidies.decorator.js';

/** Calls whoever keeps rows that expire. Each owner says by {@link Tidies} what goes and when; nobody else knows their tables. */
@Injectable()
export class Housekeeper {
  constructor(private readonly marked: MarkedMethods) {}

  /** One that fails does not keep the others from their work; the job is tried again for it. */
  @JobHandler({ task: 'housekeeping', schedule: '*/10 * * * *' })
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (const { method } of this.marked.find<true, () => Promise<void>>(TIDIES))
      await method().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
