import { Option } from 'commander';
import { AppError, isDatabaseUnavailable } from '../platform/errors/index.js';
import { DEFAULT_LOCALE, textOf } from '../platform/messages/index.js';
import type { Command } from './command.js';
import { inCallersFolder, type Options, ORGANIZATION } from './options.js';
import { flagOf } from './program.js';

/** What is wrong with a file that an option names, by the code of Node. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read',
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
};

/** Returns what the command line says of the error that a command has thrown. */
export function reasonOf(error: unknown, command: Command, options: Options): string {
  const cause = error instanceof AppError ? error.cause : error;
  if (isOfDatabase(cause)) return interrupted('The database was lost', cause, command);
  if (error instanceof AppError && error.code === 'unavailable' && cause instanceof Error)
    return interrupted(error.detail.replace(/\.$/, ''), cause, command);
  if (!(error instanceof AppError)) {
    if (!(error instanceof Error)) return 'failed';
    return fileProblem(error, command, options) ?? error.message;
  }
  const violations = error.violations?.map(
    ({ propertyPath, message }) =>
      `${flagOf(command, options, propertyPath)}: ${textOf(message, DEFAULT_LOCALE)}`,
  );
  if (violations) return violations.join('\n');
  return (error.code === 'not-found' && missing(command, options)) || error.detail;
}

function fileProblem(error: NodeJS.ErrnoException, command: Command, options: Options): string | null {
  const problem = FILE_PROBLEMS[error.code ?? ''];
  const given = givenOptions(command, options).find(({ value }) => inCallersFolder(value) === error.path);
  return problem === undefined || !given ? null : `${given.flag} ${given.value}: ${problem}`;
}

/** Names what was asked for by its id. An organization that does not exist has its own error. */
function missing(command: Command, options: Options): string | null {
  const named = givenOptions(command, options)
    .filter(({ flags }) => flags.endsWith('<id>') && flags !== ORGANIZATION.flags)
    .map(({ flag, value }) => `${flag} ${value}`);
  return named.length === 0 ? null : `${named.join(', ')}: does not exist`;
}

function givenOptions({ options: declared = [] }: Command, options: Options) {
  return declared.flatMap(({ flags }) => {
    const option = new Option(flags);
    const value = options[option.attributeName()];
    return typeof value === 'string' ? [{ flags, flag: option.long, value }] : [];
  });
}

/** Errors of files, which have a path, share codes with errors of connections. */
function isOfDatabase(error: unknown): error is Error {
  return isDatabaseUnavailable(error) && (error as NodeJS.ErrnoException).path === undefined;
}

function interrupted(what: string, { message }: Error, { continues = false }: Command): string {
  const next = continues
    ? 'Run the command again once the database is back: what is done stays, and nothing is done twice.'
    : 'What the command was about to do may be done: look before you run it again.';
  return `${what} (${message}). ${next}`;
}
