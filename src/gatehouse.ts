import type { GatehouseOptions } from './options.js';
import { requireSharedPackages } from './shared-packages.js';

/** The service, with what another team's repository adds. */
export interface Gatehouse {
  /**
   * Runs what the arguments of the process ask for: without any the service, as `npm start` does,
   * else a command of the operators, as `npm run cli` does. Ends the process.
   */
  run(words?: readonly string[]): Promise<void>;
}

/**
 * Composes the service with modules of another team. Reads and starts nothing until it runs.
 * @throws if the program and this package have different copies of a package that they must share
 */
export function createGatehouse(options: GatehouseOptions = {}): Gatehouse {
  requireSharedPackages();
  return {
    async run(words = process.argv.slice(2)) {
      if (words.length === 0) (await import('./service.js')).runService(options);
      else (await import('./cli/index.js')).runCommandLine(words, options);
    },
  };
}
