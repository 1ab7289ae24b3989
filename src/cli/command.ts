import type { CommandOption, Options } from './options.js';
import type { Services } from './services.js';

/** Shows a line of progress to a person who waits. */
type Report = (line: string) => void;

/** A command of the operators' command line. Help, documentation and completion are made of it. */
export interface Command {
  readonly name: string;
  readonly description: string;
  readonly options?: readonly CommandOption[];
  /** Columns of a list in a terminal; by default all fields. JSON has all fields. */
  readonly columns?: readonly string[];
  /** Whether it works through any number of rows, in limited memory. */
  readonly hasManyRows?: boolean;
  /** Whether another run completes what one that was interrupted has begun. */
  readonly continues?: boolean;
  /** Whether the result is bad news, with which the process ends with 1. */
  readonly fails?: (result: object) => boolean;
  /** Null if migrating is the whole command. */
  readonly run: ((services: Services, options: Options, report: Report) => Promise<object>) | null;
}
