// Plugin of Stryker: mutants of SQL, a sample of the mutants, what is not mutated, and a runner of
// whole specs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';
import { EQUIVALENT, NOT_MUTATED } from './not-mutated.mjs';
import { breakSql } from './sql.ts';

const ROOT = new URL('../../', import.meta.url);
const SAMPLE = Number(process.env.MUTATION_SAMPLE ?? 1);
const KIND = process.env.MUTATION_KIND;

// Stryker has no plugins of this kind; its list of mutators is the place.
const { allMutators } = await import(
  new URL('node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js', ROOT).href
);
const mutators = [...allMutators, { name: 'Sql', mutate: mutateSql }];
const wanted = mutators.filter(({ name }) => KIND === undefined || name === KIND);
allMutators.splice(0, allMutators.length, ...wanted.map(sampled));

function* mutateSql(path) {
  if (path.isStringLiteral() && !path.parentPath.isImportDeclaration()) {
    for (const value of breakSql(path.node.value)) yield { ...path.node, value, extra: undefined };
  }
  if (!path.isTemplateLiteral() || path.parentPath.isTaggedTemplateExpression()) return;
  const { quasis } = path.node;
  const text = quasis.map(({ value }) => value.raw).join(HOLE);
  for (const broken of breakSql(text)) {
    const parts = broken.split(HOLE);
    if (parts.length !== quasis.length) continue;
    const changed = quasis.map((quasi, n) => ({ ...quasi, value: { raw: parts[n], cooked: undefined } }));
    yield { ...path.node, quasis: changed };
  }
}

/** Stands for `${...}`; a word, as the expressions that belong to a condition are. */
const HOLE = '__hole__';

/** The same mutants of a file at each run, whichever other files are run. */
function sampled(mutator) {
  return {
    ...mutator,
    *mutate(path, ...rest) {
      let n = 0;
      for (const mutant of mutator.mutate(path, ...rest)) {
        const { line, column } = path.node.loc.start;
        const file = relative(process.cwd(), path.hub.file.opts.filename);
        const hash = createHash('sha256').update([file, line, column, mutator.name, n++].join(' '));
        if (hash.digest().readUInt16BE() / 65_536 < SAMPLE) yield mutant;
      }
    },
  };
}

const ignorer = {
  shouldIgnore(path) {
    const { file } = path.hub;
    const code = file.code.slice(path.node.start, path.node.end);
    const equivalent = EQUIVALENT.find(
      (entry) => file.opts.filename.endsWith(entry.file) && entry.code === code,
    );
    return (
      equivalent?.why ?? NOT_MUTATED.find(({ pattern }) => path.isExpression() && pattern.test(code))?.why
    );
  },
};

/** Which specs reach a mutant's tests; the first runner writes it, all read it. */
const SPECS = '.specs-of-tests.json';

/**
 * Stryker's runner picks single tests by name, and loads every spec to do so. Tests of a spec may
 * build on those before them, and a spec takes seconds to load: this one runs the whole specs that
 * reach the mutant, the shortest first, until one fails.
 */
function bySpec(injector) {
  const runner = jestPlugins[0].factory(injector);
  const { dryRun, mutantRun, run } = runner;
  let only;
  return Object.assign(runner, {
    async dryRun(options) {
      const result = await dryRun.call(runner, options);
      const specs = {};
      for (const { id, fileName, timeSpentMs } of result.tests ?? []) {
        specs[id] = [...(specs[id] ?? []), [fileName, timeSpentMs]];
      }
      writeFileSync(SPECS, JSON.stringify(specs));
      return result;
    },
    async mutantRun(options) {
      if (!options.testFilter || !existsSync(SPECS)) return mutantRun.call(runner, options);
      let result;
      for (const spec of specsOf(options.testFilter)) {
        only = [spec];
        result = await mutantRun.call(runner, { ...options, testFilter: undefined });
        if (result.status !== 'survived') break;
      }
      return result;
    },
    run(settings) {
      if (!only) return run.call(runner, settings);
      return run.call(runner, { ...settings, testFiles: only, fileNamesUnderTest: undefined });
    },
  });
}
bySpec.inject = jestPlugins[0].factory.inject;

function specsOf(tests) {
  const all = JSON.parse(readFileSync(SPECS, 'utf8'));
  const durations = new Map();
  for (const test of Object.values(all).flat()) {
    durations.set(test[0], (durations.get(test[0]) ?? 0) + test[1]);
  }
  const specs = new Set(tests.flatMap((id) => (all[id] ?? []).map(([file]) => file)));
  return [...specs].sort((a, b) => durations.get(a) - durations.get(b));
}

/** Prints a survivor at once, so that a run that is stopped says what it has found. */
const survivors = Object.assign(
  () => ({
    onMutantTested({ status, fileName, location: { start }, mutatorName, replacement }) {
      if (status !== 'Survived' && status !== 'NoCoverage') return;
      const place = `${relative(process.cwd(), fileName)}:${start.line}:${start.column}`;
      process.stdout.write(`${status} ${place} ${mutatorName}: ${replacement}\n`);
    },
  }),
  { inject: [] },
);

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'jest-by-spec', factory: bySpec },
  { kind: 'Reporter', name: 'survivors', factory: survivors },
  { kind: 'Ignore', name: 'not-mutated', value: ignorer },
];
