import { type CustomDecorator, Injectable, Module } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Database, type Removable } from '../database/index.js';
import { MarkedClasses, MarkedMethods } from '../discovery/index.js';
import { JobHandler } from '../jobs/index.js';

/** Metadata of {@link Cleanup}. */
const CleanupMark = Reflector.createDecorator<true>();

/**
 * Marks a method that deletes expired rows. It is called every ten minutes on one replica and must
 * tolerate being stopped at any point. If it resolves to true, rows are left, and it is called
 * again after the others.
 */
export function Cleanup(): CustomDecorator {
  return CleanupMark(true);
}

/** Metadata of {@link RemovesExpired}. */
const ExpiryMark = Reflector.createDecorator<readonly Removable[]>();

/** Declares on a repository which rows expire. They are removed as by {@link Cleanup}. */
export function RemovesExpired(...kinds: Removable[]): ClassDecorator {
  return ExpiryMark(kinds);
}

type CleanupMethod = () => Promise<boolean | void>;

/**
 * Maximum duration of one run: less than the 300 s after which JobPresence treats a job as lost.
 * The next run, ten minutes later, removes what is left.
 */
const MAX_RUN_MS = 180_000;

/** Deletes expired rows as modules declare by {@link Cleanup} and {@link RemovesExpired}. */
@Injectable()
export class CleanupService {
  constructor(
    private readonly methods: MarkedMethods,
    private readonly classes: MarkedClasses,
    private readonly database: Database,
  ) {}

  /**
   * Does all of it, then again what has rows left, until done or out of time. A failure does
   * not stop the others; the job then fails and is retried.
   */
  @JobHandler({ task: 'housekeeping', schedule: '*/10 * * * *' })
  async run(): Promise<void> {
    const failures: unknown[] = [];
    const until = performance.now() + MAX_RUN_MS;
    let round = [
      ...this.methods.find<true, CleanupMethod>(CleanupMark).map(({ method }) => method),
      ...this.classes.find<readonly Removable[], object>(ExpiryMark).map(
        ({ mark }) =>
          () =>
            this.database.removeInBatches(...mark),
      ),
    ];
    while (round.length > 0 && performance.now() < until) {
      const unfinished: CleanupMethod[] = [];
      for (const cleanUp of round) {
        const more = await cleanUp().catch((error: unknown) => {
          failures.push(error);
        });
        if (more === true) unfinished.push(cleanUp);
      }
      round = unfinished;
    }
    if (failures.length > 0) throw failures[0];
  }
}

@Module({ providers: [CleanupService] })
export class CleanupModule {}
