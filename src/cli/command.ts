import type { GatehouseOptions } from '../options.js';
import type { CommandOption, Options } from './options.js';
import type { Services } from './services.js';

/** Shows a line of progress to a person who waits. */
type Report = (line: string) => void;

/** What help, documentation and completion are made of. */
interface Described {
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
}

/** A command that calls the service, whose database exists. */
interface OfService extends Described {
  readonly run: (services: Services, options: Options, report: Report) => Promise<object>;
}

/** A command that makes, saves or restores the database. */
interface OfDatabase extends Described {
  /** @param added what another team adds */
  readonly runAlone: (added: GatehouseOptions, options: Options, report: Report) => Promise<object>;
}

/** A command of the operators' command line. */
export type Command = OfService | OfDatabase;
