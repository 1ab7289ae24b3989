import { setImmediate as endOfTurn } from 'node:timers/promises';

/** Maximum number of questions of one statement: what it changes stays locked until it ends. */
const MAX_QUESTIONS = 50;

interface Batch<Q, A> {
  readonly questions: Q[];
  readonly answers: Promise<readonly (A | undefined)[]>;
}

/**
 * Answers what is asked in one turn of the event loop by one statement. Under load this saves each
 * request most of the processor time of a statement of its own, which is about 100 µs; a question
 * without others waits for nothing. A trace shows the statement with the first question.
 */
export class TurnBatch<Q, A> {
  private pending: Batch<Q, A> | undefined;

  /** @param answer returns the answers by the places of their questions, which are several */
  constructor(private readonly answer: (questions: readonly Q[]) => Promise<readonly (A | undefined)[]>) {}

  /**
   * Asks together with all others of this turn. Not for a transaction, which the statement would
   * not be in.
   * @returns null if there were no others, or no answer: the caller then asks by itself
   */
  async ask(question: Q): Promise<A | null> {
    if (this.pending === undefined || this.pending.questions.length === MAX_QUESTIONS)
      this.pending = this.begin();
    const { questions, answers } = this.pending;
    const place = questions.push(question) - 1;
    return (await answers)[place] ?? null;
  }

  private begin(): Batch<Q, A> {
    const questions: Q[] = [];
    const answerAll = async (): Promise<readonly (A | undefined)[]> => {
      await endOfTurn();
      this.pending = undefined;
      return questions.length > 1 ? this.answer(questions) : [];
    };
    return { questions, answers: answerAll() };
  }
}
