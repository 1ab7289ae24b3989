import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { MarkedClasses } from '../../../../platform/discovery/index.js';
import { type Count, Metrics } from '../../../../platform/observability/index.js';
import { readVouched, type VouchedPerson } from '../../../import/imported-person.js';
import { CircuitBreaker } from './circuit-breaker.js';
import {
  LegacyDirectoryMark,
  type LegacyDirectoryOptions,
  type LegacyVerifier,
} from './legacy-directory.decorator.js';
import { abortAt, MAX_ANSWER_MS, MIN_ANSWER_MS } from './legacy-time.js';

const OUTCOMES = ['right', 'wrong', 'refused', 'failed', 'timed-out', 'not-asked'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Reason of an abandoned question. */
class TooLate extends Error {}

/**
 * Finds the legacy directory of the deployment at start, and asks it: for a limited time, and not
 * at all for a while after several failures. A failure is a wrong password to the caller.
 */
@Injectable()
export class LegacyQuestions implements OnApplicationBootstrap {
  private readonly logger = new Logger('LegacyDirectory');
  private readonly breaker = new CircuitBreaker();
  private readonly questions: Count<{ outcome: typeof OUTCOMES }>;
  private verifier: LegacyVerifier | null = null;
  private answerMs = MAX_ANSWER_MS;

  constructor(
    private readonly marked: MarkedClasses,
    metrics: Metrics,
  ) {
    this.questions = metrics.counter({
      name: 'gatehouse_legacy_directory_questions_total',
      help: 'Logins about which the legacy directory was to be asked, by outcome.',
      labels: { outcome: OUTCOMES },
    });
  }

  /** @throws if there are two legacy directories, or one without a method or of a wrong time */
  onApplicationBootstrap(): void {
    const found = this.marked.find<LegacyDirectoryOptions, LegacyVerifier>(LegacyDirectoryMark);
    const names = found.map(({ provider }) => provider.constructor.name).join(', ');
    if (found.length > 1) throw new Error(`There can be one @LegacyDirectory(), and there are ${names}.`);
    this.verifier = found[0]?.provider ?? null;
    if (this.verifier && typeof this.verifier.verify !== 'function')
      throw new Error(`@LegacyDirectory() needs a method verify, which ${names} does not have.`);
    const maxAnswerMs = found[0]?.mark.maxAnswerMs ?? MAX_ANSWER_MS;
    if (!(maxAnswerMs >= MIN_ANSWER_MS && maxAnswerMs <= MAX_ANSWER_MS))
      throw new Error(
        `@LegacyDirectory() of ${names} needs a maxAnswerMs from ${MIN_ANSWER_MS} to ${MAX_ANSWER_MS}.`,
      );
    this.answerMs = maxAnswerMs;
  }

  get isDeclared(): boolean {
    return this.verifier !== null;
  }

  /** Time for an answer, and of every refusal, in milliseconds. */
  get maxAnswerMs(): number {
    return this.answerMs;
  }

  /**
   * Asks whether a password is right.
   * @param end when to stop waiting, as `answerEnd` returns it
   * @returns the person; null if it is wrong, or the directory gave no usable answer
   */
  async ask(email: string, password: string, end: number): Promise<VouchedPerson | null> {
    if (!this.verifier || !this.breaker.tryEnter()) return this.ends('not-asked');
    let answer: unknown;
    try {
      answer = await this.answerOf(this.verifier, email, password, end);
    } catch (error) {
      return this.fails(error);
    }
    this.breaker.recordSuccess();
    if (answer === null || answer === undefined) return this.ends('wrong');
    const person = readVouched(answer);
    return typeof person === 'string' ? this.refuses(person) : person;
  }

  /** Counts a person who has got in. */
  recordRight(): void {
    this.questions.inc({ outcome: 'right' });
  }

  /**
   * Logs and counts a person with the right password who gets no account.
   * @param reason sentence without personal data
   */
  refuses(reason: string): null {
    this.logger.warn({ reason }, 'an answer of the legacy directory was refused');
    return this.ends('refused');
  }

  private async answerOf(
    verifier: LegacyVerifier,
    email: string,
    password: string,
    end: number,
  ): Promise<unknown> {
    const signal = abortAt(end);
    const over = new Promise<never>((_, reject) => {
      const late = (): void => reject(new TooLate());
      if (signal.aborted) late();
      else signal.addEventListener('abort', late, { once: true });
    });
    // In its own function, so that what it throws before its first `await` is a failure too.
    const asked = (async () => verifier.verify(email, password, signal))();
    return Promise.race([asked, over]);
  }

  /** Logs the class of the error alone: its message can have the address. */
  private fails(error: unknown): null {
    const isLate = error instanceof TooLate;
    const reason = isLate ? 'no answer in time' : error instanceof Error ? error.constructor.name : 'unknown';
    this.logger.warn({ reason }, 'the legacy directory failed');
    if (this.breaker.recordFailure()) this.logger.error('the legacy directory is not asked for 30 seconds');
    return this.ends(isLate ? 'timed-out' : 'failed');
  }

  private ends(outcome: Outcome): null {
    this.questions.inc({ outcome });
    return null;
  }
}
