import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Maps by the URL of the built file, read when a trace first names it; null if unreadable. */
const maps = new Map<string, SourceMap | null>();

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
  const origin = mapOf(file)?.findOrigin(line, column);
  if (!origin || !('fileName' in origin)) return text;
  const source = fileURLToPath(new URL(origin.fileName, file));
  return text.replace(`${file}:${line}:${column}`, () => {
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) {
    map = readMap(file);
    maps.set(file, map);
  }
  return map;
}

function readMap(file: string): SourceMap | null {
  try {
    const text = readFileSync(fileURLToPath(`${file}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  } catch {
    return null; // not built by us, or installed without maps
  }
}
