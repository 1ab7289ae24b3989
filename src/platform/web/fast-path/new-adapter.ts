import { ServiceAdapter } from '../service-adapter.js';
import { FastAdapter } from './fast-adapter.js';
import { usesFastPath } from './switch.js';

/** Creates the adapter of an application. */
export function newAdapter(): ServiceAdapter {
  return usesFastPath() ? new FastAdapter() : new ServiceAdapter();
}
