import { TurnBatch } from '../../src/platform/database/turn-batch.js';

describe('Questions of one turn', () => {
  let asked: (readonly number[])[];
  const double = async (questions: readonly number[]): Promise<(number | undefined)[]> => {
    asked.push([...questions]);
    return questions.map((question) => (question === 0 ? undefined : 2 * question));
  };
  beforeEach(() => {
    asked = [];
  });

  it('are answered together, each by its own answer', async () => {
    const batch = new TurnBatch(double);
    expect(await Promise.all([1, 2, 0, 3].map((question) => batch.ask(question)))).toEqual([2, 4, null, 6]);
    expect(asked).toEqual([[1, 2, 0, 3]]);
  });

  it('are answered with those of this turn alone', async () => {
    const batch = new TurnBatch(double);
    const first = [batch.ask(1), batch.ask(2)];
    await new Promise(setImmediate);
    expect(await Promise.all([...first, batch.ask(3), batch.ask(4)])).toEqual([2, 4, 6, 8]);
    expect(asked).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('are left to the caller where there is one alone', async () => {
    expect(await new TurnBatch(double).ask(1)).toBeNull();
    expect(asked).toEqual([]);
  });

  it('are at most fifty to a statement', async () => {
    const batch = new TurnBatch(double);
    const questions = Array.from({ length: 120 }, (_, n) => n + 1);
    const answers = await Promise.all(questions.map((question) => batch.ask(question)));
    expect(answers).toEqual(questions.map((question) => 2 * question));
    expect(asked.map(({ length }) => length)).toEqual([50, 50, 20]);
  });

  it('fail together, and leave the next ones alone', async () => {
    let fails = true;
    const batch = new TurnBatch((questions: readonly number[]) =>
      fails ? Promise.reject(new Error('unreachable')) : double(questions),
    );
    const failed = await Promise.allSettled([batch.ask(1), batch.ask(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await Promise.all([batch.ask(1), batch.ask(2)])).toEqual([2, 4]);
  });
});
