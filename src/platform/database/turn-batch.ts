import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Maximum number of questions that are answered together: what they change is locked so long. */
const MAX_QUESTIONS = 50;

/**
 * Answers several questions, usually one.
 * @param waits whether to wait for other transactions; false for several questions, so that none of
 *   them waits for what concerns another one: what cannot be locked at once is left out
 * @returns the answers by the indexes of their questions; nothing happened for the others
 */
type Answer<Q, A> = (questions: readonly Q[], waits: boolean) => Promise<readonly (A | undefined)[]>;

interface Batch<Q, A> {
  readonly questions: Q[];
  readonly answers: Promise<readonly (A | undefined)[]>;
}

/**
 * Answers together what is asked in one turn of the event loop. Under load this saves each request
 * most of the processor time of its statements, about 100 µs each; a question without others waits
 * for nothing. A trace shows the statements with the first question.
 */
export class TurnBatch<Q, A> {
  private pending: Batch<Q, A> | undefined;

  constructor(private readonly answer: Answer<Q, A>) {}

  /**
   * Asks together with all others of this turn, and by itself if that gave no answer. Not for a
   * transaction, which the statements would not be in.
   */
  async ask(question: Q): Promise<A | null> {
    if (this.pending === undefined || this.pending.questions.length === MAX_QUESTIONS)
      this.pending = this.begin();
    const { questions, answers } = this.pending;
    const index = questions.push(question) - 1;
    const together = (await answers)[index];
    return together ?? (await this.answer([question], true))[0] ?? null;
  }

  private begin(): Batch<Q, A> {
    const questions: Q[] = [];
    const answerAll = async (): Promise<readonly (A | undefined)[]> => {
      await endOfTurn();
      this.pending = undefined;
      return questions.length > 1 ? this.answer(questions, false) : [];
    };
    return { questions, answers: answerAll() };
  }
}
