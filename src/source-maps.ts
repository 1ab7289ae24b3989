import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PositionMap } from './position-map.js';

/** Maps by the URL of the built file, read when a trace first names it; null if unreadable. */
const maps = new Map<string, PositionMap | null>();

/**
 * Names the sources in stack traces, as `--enable-source-maps` does. With that option Node parses
 * the maps of all files that a start loads, and keeps them: this parses those of the files that a
 * stack trace names (ADR 48).
 */
export function mapStackTraces(): void {
  Error.prepareStackTrace = (error, calls) =>
    [headOf(error), ...calls.map((call) => `    at ${describe(call)}`)].join('\n');
}

/** Returns the first line. Node adds the code of its own errors. */
function headOf(error: Error & { readonly code?: unknown }): string {
  const { code } = error;
  if (typeof code === 'string' && code.startsWith('ERR_')) return `${error.name} [${code}]: ${error.message}`;
  return Error.prototype.toString.call(error);
}

function describe(call: NodeJS.CallSite): string {
  const text = String(call);
  const file = call.getScriptNameOrSourceURL();
  const [line, column] = [call.getLineNumber(), call.getColumnNumber()];
  if (!file?.startsWith('file:') || file.includes('/node_modules/') || line === null || column === null)
    return text;
  const origin = mapOf(file)?.originOf(line, column);
  if (!origin) return text;
  const source = fileURLToPath(new URL(origin.source, file));
  return text.replace(`${file}:${line}:${column}`, () => `${source}:${origin.line}:${origin.column}`);
}

function mapOf(file: string): PositionMap | null {
  let map = maps.get(file);
  if (map === undefined) {
    map = readMap(file);
    maps.set(file, map);
  }
  return map;
}

function readMap(file: string): PositionMap | null {
  try {
    return new PositionMap(readFileSync(fileURLToPath(`${file}.map`), 'utf8'));
  } catch {
    return null; // not built by us, or installed without maps
  }
}
