import { existsSync, globSync, readFileSync } from 'node:fs';
import { parseCommand } from '../../src/cli/program.js';
import { SETTING_NAMES } from '../../src/platform/config/settings.js';
import { OpenApi } from '../support/openapi.js';

/**
 * Blocks without a language, or only shown: docs-commands.long.spec.ts and quoted-code.spec.ts
 * check the others.
 */
const SHOWN = /^```sh shown.*\n([\s\S]*?)\n```$/gm;
const BLOCK = /^```[\s\S]*?^```$/gm;
const INDENTED = /^ {4}(\S.*)$/gm;
const IN_THE_TEXT = /`((?:npm|node|(?:\.ci|scripts)\/[^\s`]+)(?: [^`]+)?)`/g;
const WORD = /"[^"]*"|'[^']*'|\S+/g;

const api = new OpenApi(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, line = '']) => line);
const documents = globSync(['*.md', 'docs/**/*.md', '{client,react,bench}/README.md'])
  .filter((document) => document !== 'ARCHITECTURE.md') // whose indented lines are a drawing
  .map((document) => {
    const text = readFileSync(document, 'utf8');
    const prose = text.replace(BLOCK, '');
    const shown = found(text, SHOWN).flatMap((block) => block.split('\n'));
    return { document, commands: [...shown, ...found(prose, INDENTED), ...found(prose, IN_THE_TEXT)] };
  })
  .filter(({ commands }) => commands.length > 0);

/**
 * Commands that no test runs, because they install, wait for a person or name a reader's machines:
 * their scripts, files and settings must exist.
 */
it.each(documents)('$document names only existing commands', ({ commands }) => {
  expect(commands.filter((command) => !isThere(command))).toEqual([]);
});

/** Checks by first word. A command that begins with another word must be added here. */
function isThere(line: string): boolean {
  const [first = '', ...rest] = (line.replace(/\s+[#>] .*$/, '').match(WORD) ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/, '$2'),
  );
  if (first === 'npm') return isScript(rest);
  if (first === 'pg_basebackup' || first === 'pg_ctl') return true; // of PostgreSQL
  if (first === 'curl') return isOperation(rest);
  if (first === 'docker') return rest[0] === 'compose' && existsSync('compose.yaml');
  if (first === 'echo') return SETTING_NAMES.includes(rest.join(' ').split('=')[0] ?? '');
  if (first === 'node') return rest.every((word) => !word.startsWith('dist/') || existsSync(sourceOf(word)));
  if (first.startsWith('$PUBLIC_URL/')) return isOperation([first]);
  if (/^(?:\.ci|scripts)\//.test(first)) return existsSync(first);
  if (/^[A-Z_]+=/.test(first)) return SETTING_NAMES.includes(first.split('=')[0] ?? '');
  if (line.includes('gatehouse.')) return found(line, /gatehouse\.(\w+)/g).every(isMethod);
  return /^(?:ls|user|[a-z]+=.*)$/.test(first); // files, a line for Redis' list of users, a variable of the shell
}

function isScript([verb = '', ...words]: readonly string[]): boolean {
  if (['install', 'ci', 'audit', 'pkg'].includes(verb)) return true;
  if (verb === 'pack') return words[0] !== '--workspace' || existsSync(`${words[1]}/package.json`);
  const [name = '', ...args] = [...(verb === 'run' ? [] : [verb]), ...words].filter(
    (word) => !['-s', '--silent', '--'].includes(word),
  );
  const names = args.filter((word) => !word.startsWith('-'));
  const filesOf: Record<string, (name: string) => string> = {
    test: (path) => (path.includes('/') ? `${path}*` : `{test,client/test,react/test}/**/*${path}*`),
    'test:faults': (test) => `test/faults/${test}*`,
    lab: (provider) => (provider === 'two-organizations' ? 'lab/organizations.mjs' : `lab/${provider}`),
    bench: (one) => `bench/cases/${one}.mjs`,
  };
  const pattern = filesOf[name];
  if (scripts[name] === undefined) return false;
  if (name === 'cli' && args.length > 0) return isCommandLine(args);
  return pattern === undefined || names.every((one) => globSync(pattern(one)).length > 0);
}

function isCommandLine(args: readonly string[]): boolean {
  try {
    return Boolean(parseCommand(args));
  } catch {
    return false;
  }
}

/** Checks a path of the API with its fields; other hosts are accepted. */
function isOperation(words: readonly string[]): boolean {
  const after = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
  const [url = ''] = words.filter((word) => /^(?:http|\$)/.test(word));
  const [, path] =
    /^(?:\$PUBLIC_URL|http:\/\/localhost:3000)(.*)$/.exec(url.replace('$api', '$PUBLIC_URL/api/v1/iam')) ??
    [];
  if (path === undefined) return url.startsWith('https:');
  const body = after('-d');
  const operation = api.find(after('-X') ?? (body === undefined ? 'GET' : 'POST'), path)?.operation;
  if (body === undefined) return operation !== undefined;
  const { properties } = api.resolve(operation?.requestBody?.content['application/json'].schema ?? {});
  return Object.keys(JSON.parse(body) as object).every((field) => Object.hasOwn(properties ?? {}, field));
}

function isMethod(name: string): boolean {
  return new RegExp(`^  (?:async )?${name}\\(`, 'm').test(readFileSync('client/src/gatehouse.ts', 'utf8'));
}

function sourceOf(built: string): string {
  return built.replace('dist/', '').replace(/js$/, 'ts');
}
