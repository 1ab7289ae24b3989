interface Reporter {
  toRow(file: object): object;
  verdictOf(rows: readonly object[]): { sentence: string; isComplete: boolean };
}
const { toRow, verdictOf } = jest.requireActual<Reporter>('../faults/support/reporter.cjs');

/** Result of a spec file as Jest reports it. */
const fileOf = (...statuses: string[]) => ({
  testFilePath: '/test/faults/at-16-redis.spec.ts',
  testResults: statuses.map((status) => ({ status })),
  perfStats: { start: 0, end: 1_000 },
  failureMessage: null as string | null,
});
const verdict = (...files: ReturnType<typeof fileOf>[]) => verdictOf(files.map((file) => toRow(file)));

describe('The report of the acceptance tests', () => {
  it('says that all is kept if every test ran and passed', () => {
    expect(verdict(fileOf('passed', 'passed'))).toEqual({ sentence: 'All kept.', isComplete: true });
  });

  it.each([
    ['a test of a file', fileOf('passed', 'pending')],
    ['a whole file', fileOf('pending')],
  ])('says that it is incomplete if %s was left out', (_what, file) => {
    const { sentence, isComplete } = verdict(fileOf('passed'), file);
    expect(sentence).toMatch(/^INCOMPLETE: AT-16 /);
    expect(isComplete).toBe(false);
  });

  it('says that it is incomplete if nothing ran', () => {
    expect(verdict().isComplete).toBe(false);
  });

  it('names a failure before anything else', () => {
    expect(verdict(fileOf('failed'), fileOf('pending')).sentence).toBe('NOT KEPT: AT-16.');
    expect(verdict({ ...fileOf(), failureMessage: 'cannot be read' }).sentence).toBe('NOT KEPT: AT-16.');
  });
});
