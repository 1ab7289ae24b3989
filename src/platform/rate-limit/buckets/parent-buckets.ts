import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Channel } from '../../processes/index.js';
import { type BucketState, ReplicaBuckets } from './token-buckets.js';

type Question = readonly [key: string, limit: number];

interface Turn {
  readonly questions: Question[];
  readonly answers: Promise<readonly BucketState[]>;
}

/**
 * Token buckets of the parent process, which all workers of a replica share (ADR 77). What is asked
 * in one turn of the event loop is one message. A worker ends with its parent, so that no request
 * waits for one that has died.
 */
export class ParentBuckets extends ReplicaBuckets {
  private turn: Turn | undefined;

  constructor(private readonly parent: Channel) {
    super();
  }

  override async take(key: string, limit: number): Promise<BucketState> {
    this.turn ??= this.begin();
    const { questions, answers } = this.turn;
    const index = questions.push([key, limit]) - 1;
    const state = (await answers)[index];
    if (!state) throw new Error('The parent process did not count the request.');
    return state;
  }

  override async giveBack(key: string, limit: number): Promise<void> {
    await this.parent.ask('giveBack', [key, limit]);
  }

  private begin(): Turn {
    const questions: Question[] = [];
    const askAll = async (): Promise<readonly BucketState[]> => {
      await endOfTurn();
      this.turn = undefined;
      return this.parent.ask('take', questions);
    };
    return { questions, answers: askAll() };
  }
}

/** Answers the buckets of workers by the parent's. */
export function answerBuckets(worker: Channel, buckets: ReplicaBuckets): void {
  worker.answer('take', (questions: readonly Question[]) =>
    Promise.all(questions.map(([key, limit]) => buckets.take(key, limit))),
  );
  worker.answer('giveBack', ([key, limit]: Question) => buckets.giveBack(key, limit));
}
