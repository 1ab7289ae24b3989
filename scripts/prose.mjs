// Finds words that CONTRIBUTING.md rules out, over-long comments and references that lead nowhere, in code, documents and
// texts. scripts/prose.json holds how many each file still has. A count may only fall: npm run prose -- --update
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';

const BASELINE = 'scripts/prose.json';
const MAX_COMMENT_COLUMNS = 100;
const CODE = new Set(['.ts', '.tsx', '.mjs', '.cjs', '.css']);
const TEXT = new Set([...CODE, '.md', '.yml', '.yaml', '.html', '.sh']);
/** They name the words, or are made from files that are checked. */
const LEFT_OUT = /^(?:CHANGELOG\.md|docs\/glossary\.md|scripts\/prose\.mjs|client\/src\/generated\/)/;

const ACTOR = 'name the actor: the caller, user, client, administrator, replica, job, receiver';
/** Patterns to find, in names as well, and what to write instead. */
const RULES = [
  [/\bwhoever|\bnobody\b|\b(?:some|any|every)body\b|\bsomeone (?:who|else)\b/, ACTOR],
  [/\bwho (?:comes|asks|came|has come|speaks|is there)\b|\bone that is none|\bwhat is there\b/, ACTOR],
  [/\belsewhere\b/, 'external, or the name of the place'],
  [/\banew\b/, 'again'],
  [/\bmeanwhile\b|\bat the same moment\b|\bin a ring\b/, 'concurrently, race, deadlock, lock order'],
  [/\bfront[ -]?doors?\b|\bdoors?\b/, 'request pipeline, middleware'],
  [/\bdeaf\b|\bhears?\b/, 'disconnected; receives'],
  [/\bgraves?\b|\bborn\b|\bcatch(?:es|ing)? (?:its|their) breath\b/, 'a literal term'],
  [/\bon (?:its|their|the) way\b|\btravel(?:s|ling)\b|travelling/, 'in flight, sent, pending'],
  [/\bstanding\b|standing(?=[-.])/, 'state, status'],
  [/\bgrow(?:n|s)? old\b|\bgood (?:for|once)\b/, 'expired; valid for, single-use'],
  [/\bhand-?overs?\b|\bhand(?:ed|s|ing)? over\b/, 'authorization code, exchange; selected'],
  [/\bno way in\b|\bways? in\b/, 'sign-in'],
  [/\bworth nothing\b|\bto the letter\b|\bfor ever\b/, 'useless; exactly; without end'],
  [/\bworkbench/, 'local development'],
  [/(?<!')\bhousekeeping|\btid(?:y|ies)\b/, 'cleanup'], // 'housekeeping' is the name of a job task
  [/\bchapters?\b/, 'API tag'],
  [/\bbeside\b/, 'next to, during, together with, in addition to'],
  [/\bof (?:its|their|our|your) own\b/, 'its own, separate'],
  [/\balone\b/, 'only, before what it restricts'],
  [/\b(?:that|those) of\b/, "the noun, or the genitive: the client's"],
  [/\bwhen-?closed\b|\bwhy-?closed\b/, 'allowed when archived, closed reason'],
  [/\btoo often\b/, 'rate limit'],
  [/\bposted forms?\b/, 'form-post store'],
  [/\blaborator(?:y|ies)\b/, 'lab'],
  [/\bcontract section\b|\bsecurity bar\b/, 'RFC and section, ADR, or an id of docs/requirements.md'],
].map(([pattern, instead]) => [new RegExp(pattern, 'gi'), instead]);

/** Sentences that begin with a relative clause: the capital tells them from "a person who has". */
const NO_SUBJECT =
  /(?:^|[.:;|] )Who (?:has|makes|would|does|gets|hides|begins|comes|asks|can|cannot|is not)\b/g;

const update = process.argv.includes('--update');
const baseline = existsSync(BASELINE) ? JSON.parse(readFileSync(BASELINE, 'utf8')) : null;
const counts = {};
const excess = [];
for (const file of execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split(
  '\n',
)) {
  if (!TEXT.has(extname(file)) || LEFT_OUT.test(file) || !existsSync(file)) continue;
  const findings = findingsOf(file);
  const allowed = baseline?.[file] ?? baseline?.[formerPath(file)] ?? 0;
  if (baseline && findings.length > allowed) excess.push({ file, allowed, findings });
  if (findings.length > 0) counts[file] = findings.length;
}

for (const { file, allowed, findings } of excess) {
  print(`${file}: ${findings.length} findings, ${allowed} are allowed`);
  for (const { line, found, instead } of findings) print(`  ${line}: "${found}" -> ${instead}`);
}
const sum = (all) => Object.values(all).reduce((total, count) => total + count, 0);
if (excess.length > 0) process.exitCode = 1;
else if (update) {
  writeFileSync(BASELINE, `${JSON.stringify(counts, null, 2)}\n`);
  print(`${sum(baseline ?? counts)} findings were allowed, now ${sum(counts)}.`);
} else if (sum(counts) < sum(baseline))
  print(`${sum(baseline) - sum(counts)} findings less than allowed: npm run prose -- --update`);

/**
 * Returns the former path of a moved file: a listed path with the same name that no longer exists.
 */
function formerPath(file) {
  return Object.keys(baseline).find((path) => basename(path) === basename(file) && !existsSync(path));
}

function findingsOf(file) {
  const isCode = CODE.has(extname(file));
  const rules = [...RULES, [NO_SUBJECT, ACTOR]];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const at = (found, instead) => ({ line: index + 1, found, instead });
      const words = rules.flatMap(([pattern, instead]) =>
        [...text.matchAll(pattern)].map(([found]) => at(found, instead)),
      );
      const isLong = isCode && /^\s*(?:\/\/|\/?\*)/.test(text) && text.length > MAX_COMMENT_COLUMNS;
      return isLong ? [...words, at(`${text.length} columns`, `${MAX_COMMENT_COLUMNS} at most`)] : words;
    });
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
