import { AppError } from '../platform/errors/index.js';
import { DEFAULT_LOCALE, textOf } from '../platform/messages/index.js';
import type { Command } from './command.js';
import type { Options } from './options.js';
import { flagOf } from './program.js';

/** Returns what the command line says of the error that a command has thrown. */
export function reasonOf(error: unknown, command: Command, options: Options): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : 'failed';
  const violations = error.violations?.map(
    ({ propertyPath, message }) =>
      `${flagOf(command, options, propertyPath)}: ${textOf(message, DEFAULT_LOCALE)}`,
  );
  return violations?.join('\n') ?? error.detail;
}
