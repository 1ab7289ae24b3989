import type { Channel } from './channel.js';

/** Environment variable by which the parent tells a worker its {@link Place}, as JSON. */
export const PLACE = 'GATEHOUSE_WORKER';

/** Place of a worker in its replica. */
export interface Place {
  /** From 1. The process that replaces another one has its number. */
  readonly number: number;
  /** Port that all workers share. */
  readonly port: number;
  /** Address of the embedded database, which the parent runs; null with DATABASE_URL. */
  readonly embedded: string | null;
}

/**
 * Processes of this replica, of which this is one (ADR 77): with WORKERS several under one parent,
 * else this one only.
 */
export class Processes {
  /**
   * @param number of this process, from 1
   * @param parent null if this is the only process
   */
  constructor(
    readonly number = 1,
    readonly parent: Channel | null = null,
  ) {}

  /** Whether this process runs the jobs of the replica. */
  get runsJobs(): boolean {
    return this.number === 1;
  }

  /** Defines how this process answers a question of the others. */
  answer(question: string, work: () => unknown): void {
    this.parent?.answer(question, work);
  }

  /**
   * Asks all other processes that serve requests.
   * @returns their answers; null of a process that did not answer in time
   */
  async askOthers<T>(question: string): Promise<readonly (T | null)[]> {
    return this.parent ? this.parent.ask('others', question) : [];
  }
}
