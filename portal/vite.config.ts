import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

/** Writes the compressed forms beside each file, so that the service need not compress. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|svg)$/.test(name)) continue;
        const file = join(dir, name);
        const content = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}

/** Compiles the texts of each language, so that the page needs no parser of ICU messages. */
function messages(): Plugin {
  const PREFIX = '\0messages:';
  const compile = (text: string) => {
    const elements = parse(text);
    const [only] = elements;
    return elements.length === 1 && only?.type === TYPE.literal ? only.value : elements;
  };
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (!source.endsWith('.json') || !importer.endsWith('/messages/index.ts')) return null;
      return `${PREFIX}${join(dirname(importer), source).slice(0, -'.json'.length)}`; // of no JSON plugin
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const file = `${id.slice(PREFIX.length)}.json`;
      this.addWatchFile(file);
      const texts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
      return `export default ${JSON.stringify(Object.fromEntries(texts.map(([key, text]) => [key, compile(text)])))}`;
    },
  };
}

/**
 * Puts the portal's own modules that the first page imports into one file: each file is a round
 * trip on a slow network.
 */
function firstFile(id: string, graph: GraphReader): string | null {
  const reached = new Set([id]);
  for (const module of reached) {
    const info = graph.getModuleInfo(module);
    if (info?.isEntry) return id.includes('/portal/src/') ? 'first' : null;
    for (const importer of info?.importers ?? []) reached.add(importer);
  }
  return null;
}

type GraphReader = Parameters<Rolldown.CodeSplittingNameFunction>[1];

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: 'dist',
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // a data: address would require a wider policy
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700, // KB; compressed it is a quarter
    // Ignores warnings about "use client", which has no effect here, and about slow builds.
    rolldownOptions: {
      checks: { moduleLevelDirective: false, bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: firstFile }] } },
    },
  },
  resolve: {
    alias: [
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
      },
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^react-dom$/, replacement: join(import.meta.dirname, 'src/preact/react-dom.ts') },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: 'preact/compat' },
    ],
  },
  plugins: [messages(), precompress()],
});
