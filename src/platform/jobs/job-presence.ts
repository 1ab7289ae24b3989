import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';

const SAY_EVERY_MS = 5_000;
/** Longer than a process that lives is ever silent, except while the database is out of its reach. */
const DEAD_AFTER_SECONDS = 20;
/** No job takes as long: one that is still held is lost, even where its holder lives. */
const LOST_AFTER_SECONDS = 300;
const FORGOTTEN_AFTER_SECONDS = 3_600;

/**
 * Says in the database that this process works on jobs, and frees what is held by those who do not say so any more: a process that was killed
 * must not keep a mail back that it had in hand.
 */
@Injectable()
export class JobPresence {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /** @param id the name under which this process holds jobs from now on */
  begin(id: string): void {
    this.end();
    const say = (): void => void this.say(id).catch(() => undefined); // out of reach: said again as soon as it is back
    this.timer = setInterval(say, SAY_EVERY_MS);
    this.timer.unref();
    say();
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async say(id: string): Promise<void> {
    await this.database.rows(
      'INSERT INTO job_runners (id, seen_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
      [id],
    );
    await this.reclaim();
  }

  /** Frees the jobs of the dead. */
  async reclaim(): Promise<void> {
    await this.database.rows(
      `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT j.locked_by)) FROM graphile_worker.jobs j
       LEFT JOIN job_runners r ON r.id = j.locked_by AND r.seen_at > now() - make_interval(secs => $1)
       WHERE j.locked_at < now() - make_interval(secs => CASE WHEN r.id IS NULL THEN $1 ELSE $2 END) HAVING count(*) > 0`,
      [DEAD_AFTER_SECONDS, LOST_AFTER_SECONDS],
    );
    await this.database.rows('DELETE FROM job_runners WHERE seen_at < now() - make_interval(secs => $1)', [
      FORGOTTEN_AFTER_SECONDS,
    ]);
  }
}
