const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { cpus, loadavg, totalmem } = require('node:os');
const { basename, join } = require('node:path');

const RESULTS = 'results/faults';

/**
 * Prints progress, and at the end what each test measured: as a table, and as results/faults.json.
 */
class Reporter {
  onRunStart() {
    mkdirSync(RESULTS, { recursive: true });
    this.began = new Date();
    this.load = loadavg()[0];
  }

  onTestFileStart({ path }) {
    process.stderr.write(`\n>>> ${basename(path, '.spec.ts')}\n`);
  }

  onTestCaseResult({ path }, { title, status, duration, failureMessages }) {
    const test = basename(path, '.spec.ts').slice(0, 5); // others may run beside it
    process.stderr.write(`    ${test} ${status}: ${title} (${Math.round((duration ?? 0) / 1_000)} s)\n`);
    for (const message of failureMessages) process.stderr.write(`${message}\n`);
  }

  onRunComplete(_contexts, { testResults }) {
    const tests = testResults.map(toRow).toSorted((a, b) => a.file.localeCompare(b.file));
    for (const { failure } of tests) if (failure) process.stderr.write(`\n${failure}\n`);
    const machine = {
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      loadBefore: Number(this.load.toFixed(2)),
    };
    const results = {
      began: this.began.toISOString(),
      short: Boolean(process.env.FAULTS_SHORT),
      machine,
      tests,
    };
    writeFileSync('results/faults.json', `${JSON.stringify(results, null, 2)}\n`);
    const { sentence, isComplete } = verdictOf(tests);
    if (!isComplete) this.incomplete = new Error(sentence);
    process.stdout.write(`\n${table(tests)}\n\n${sentence} Written to results/faults.json\n`);
  }

  /** Fails a run of which a part was left out, as one that failed. */
  getLastError() {
    return this.incomplete;
  }
}

/** Sums up a run; one that left a part out has not shown that all is kept. */
function verdictOf(tests) {
  const named = (...outcomes) =>
    tests.filter(({ outcome }) => outcomes.includes(outcome)).map(({ test }) => test);
  const failed = named('FAILED');
  const left = named('left out', 'in part');
  if (failed.length > 0) return { sentence: `NOT KEPT: ${failed.join(', ')}.`, isComplete: true };
  if (left.length > 0 || tests.length === 0) {
    const names = left.length > 0 ? left.join(', ') : 'everything';
    return {
      sentence: `INCOMPLETE: ${names} did not run in full; the messages above say what is missing.`,
      isComplete: false,
    };
  }
  return { sentence: 'All kept.', isComplete: true };
}

function toRow({ testFilePath, testResults, perfStats, failureMessage }) {
  const file = basename(testFilePath, '.spec.ts');
  const [test] = /^at-\d+/.exec(file) ?? [file];
  const ran = testResults.filter(({ status }) => status !== 'pending');
  const failed = failureMessage ?? ran.some(({ status }) => status === 'failed');
  return {
    test: test.toUpperCase(),
    file,
    outcome: failed ? 'FAILED' : outcomeOf(ran.length, testResults.length),
    seconds: Math.round((perfStats.end - perfStats.start) / 1_000),
    // A file that could not be run at all has no tests to speak for it.
    failure: testResults.length === 0 ? failureMessage : null,
    figures: ran.length === 0 ? [] : figuresOf(existsSync(join(RESULTS, `${file}.json`)) ? file : test),
  };
}

function outcomeOf(ran, all) {
  if (ran === 0) return 'left out';
  return ran < all ? 'in part' : 'kept';
}

function figuresOf(test) {
  try {
    return JSON.parse(readFileSync(join(RESULTS, `${test}.json`), 'utf8'));
  } catch {
    return [];
  }
}

function table(tests) {
  const lines = tests.flatMap(({ test, outcome, seconds, figures }) => [
    [test, outcome, `${seconds} s`, '', ''],
    ...figures.map(({ name, value, unit, bound, kept }) => [
      '',
      kept ? '' : 'MISSED',
      '',
      name,
      `${value} ${unit}`.trim() + (bound && ` (${bound})`),
    ]),
  ]);
  const widths = [6, 9, 6, Math.max(0, ...lines.map(([, , , name]) => name.length))];
  return lines
    .map((line) =>
      line
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join(' ')
        .trimEnd(),
    )
    .join('\n');
}

module.exports = Reporter;
module.exports.toRow = toRow;
module.exports.verdictOf = verdictOf;
