import { TurnBatch } from '../../src/platform/database/turn-batch.js';

describe('Questions of one turn', () => {
  let asked: (readonly [waits: boolean, ...questions: number[]])[];
  /** Doubles; several questions that are odd have no answer, and 0 never has. */
  const double = async (questions: readonly number[], waits: boolean): Promise<(number | undefined)[]> => {
    asked.push([waits, ...questions]);
    return questions.map((one) => (one === 0 || (!waits && one % 2 === 1) ? undefined : 2 * one));
  };
  beforeEach(() => {
    asked = [];
  });

  it('are answered together, and by themselves where that gave no answer', async () => {
    const batch = new TurnBatch(double);
    expect(await Promise.all([2, 4, 0, 3].map((question) => batch.ask(question)))).toEqual([4, 8, null, 6]);
    expect(asked).toEqual([
      [false, 2, 4, 0, 3],
      [true, 0],
      [true, 3],
    ]);
  });

  it('are answered with those of this turn alone', async () => {
    const batch = new TurnBatch(double);
    const first = [batch.ask(2), batch.ask(4)];
    await new Promise(setImmediate);
    expect(await Promise.all([...first, batch.ask(6), batch.ask(8)])).toEqual([4, 8, 12, 16]);
    expect(asked).toEqual([
      [false, 2, 4],
      [false, 6, 8],
    ]);
  });

  it('are answered once where there is one alone', async () => {
    expect(await new TurnBatch(double).ask(3)).toBe(6);
    expect(asked).toEqual([[true, 3]]);
  });

  it('are at most fifty to a batch', async () => {
    const batch = new TurnBatch(double);
    const questions = Array.from({ length: 120 }, (_, n) => 2 * n + 2);
    const answers = await Promise.all(questions.map((question) => batch.ask(question)));
    expect(answers).toEqual(questions.map((question) => 2 * question));
    expect(asked.map(({ length }) => length - 1)).toEqual([50, 50, 20]);
  });

  it('fail together, and leave the next ones alone', async () => {
    let fails = true;
    const batch = new TurnBatch((questions: readonly number[], waits: boolean) =>
      fails ? Promise.reject(new Error('unreachable')) : double(questions, waits),
    );
    const failed = await Promise.allSettled([batch.ask(2), batch.ask(4)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await Promise.all([batch.ask(2), batch.ask(4)])).toEqual([4, 8]);
  });
});
