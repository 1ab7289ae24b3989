import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { FIRST_PAGE_TEXTS, type FirstPageParts } from '../src/portal/first-page-texts.ts';
import type { Message, Part } from './src/messages/compiled.ts';

/** Writes the compressed forms next to each file, so that the service need not compress. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|svg|webmanifest)$/.test(name)) continue;
        const file = join(dir, name);
        const content = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}

/** Modules that the sign-in page loads, with its menus. */
const FIRST_MODULES = ['src/main.tsx', 'src/ui/page-menus.ts'];

/** Returns the code of modules and of all they import, except by `import()`. */
function codeFrom(entries: readonly string[]): string {
  const files = new Map<string, string>();
  const read = (file: string) => {
    if (files.has(file) || !/\.tsx?$/.test(file)) return;
    const code = readFileSync(file, 'utf8');
    files.set(file, code);
    for (const [, path = ''] of code.matchAll(/^(?:import|export) (?!type\b)[^;]*?'(\.[^']+)';/gm))
      read(join(dirname(file), path));
  };
  entries.forEach((entry) => read(join(import.meta.dirname, entry)));
  return [...files.values()].join('\n');
}

/** Returns whether code names a text, or the beginning of its id in a template. */
function usesOf(code: string): (id: string) => boolean {
  const prefixes = [...code.matchAll(/`([a-z.-]+\.)\$\{/g)].map(([, prefix = '']) => prefix);
  return (id) => code.includes(`'${id}'`) || prefixes.some((prefix) => id.startsWith(prefix));
}

/** Returns the texts of a language; in English what it lacks until a release. */
function textsOf(locale: string): Record<string, string> {
  const read = (name: string): Record<string, string> =>
    JSON.parse(readFileSync(join(import.meta.dirname, 'src/messages', `${name}.json`), 'utf8'));
  return { ...read('en'), ...read(locale) };
}

/** Compiles a text. @throws if the page cannot format it */
function compile(text: string): Message {
  const parts = parse(text).map(compilePart);
  const [only = ''] = parts;
  return parts.length < 2 && typeof only === 'string' ? only : parts;
}

function compilePart(element: MessageFormatElement): Part {
  switch (element.type) {
    case TYPE.literal:
      return element.value;
    case TYPE.pound:
      return 0;
    case TYPE.argument:
      return ['value', element.value];
    case TYPE.number:
      if (element.style) break;
      return ['number', element.value];
    case TYPE.tag:
      return ['tag', element.value, element.children.map(compilePart)];
    case TYPE.select:
      return ['select', element.value, compileOptions(element.options)];
    case TYPE.plural:
      if (element.offset || element.pluralType !== 'cardinal') break;
      return ['plural', element.value, compileOptions(element.options)];
  }
  throw new Error(`The portal does not format {${element.value}} as it is written.`);
}

const compileOptions = (options: Readonly<Record<string, { readonly value: MessageFormatElement[] }>>) =>
  Object.fromEntries(Object.entries(options).map(([key, { value }]) => [key, value.map(compilePart)]));

/**
 * Compiles the texts of each language, so that the page needs no parser of ICU messages, and
 * divides them: `?first` are those of the sign-in page, `?others` the rest.
 */
function messages(): Plugin {
  const MODULE = /^\0messages:(?<path>.*)\?(?<part>first|others)$/;
  let isFirst: (id: string) => boolean;
  return {
    name: 'messages',
    enforce: 'pre',
    buildStart() {
      isFirst = usesOf(codeFrom(FIRST_MODULES));
    },
    resolveId(source, importer = '') {
      if (!/\.json\?(?:first|others)$/.test(source)) return null;
      return `\0messages:${join(dirname(importer), source.replace('.json', ''))}`; // of no JSON plugin
    },
    load(id) {
      const { path, part } = MODULE.exec(id)?.groups ?? {};
      if (path === undefined) return null;
      this.addWatchFile(`${path}.json`);
      const texts = Object.entries(textsOf(basename(path)));
      const chosen = texts.filter(([key]) => isFirst(key) === (part === 'first'));
      const compiled = Object.fromEntries(chosen.map(([key, text]) => [key, compile(text)]));
      // Read faster than the same object written as code.
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compiled))})`;
    },
  };
}

/** Leaves what the server needs to write the sign-in page in each language. */
function firstPage(): Plugin {
  return {
    name: 'first-page',
    generateBundle(_options, bundle) {
      const parts: Record<string, FirstPageParts> = {};
      for (const { fileName, name } of Object.values(bundle).filter((file) => file.type === 'chunk')) {
        const locale = /^(?<locale>[a-z]+)_first$/.exec(name)?.groups?.['locale'];
        if (locale === undefined) continue;
        const texts = textsOf(locale);
        const chosen = FIRST_PAGE_TEXTS.map((id) => [id, texts[id]]);
        parts[locale] = {
          texts: Object.fromEntries(chosen) as FirstPageParts['texts'],
          file: `/${fileName}`,
        };
      }
      this.emitFile({ type: 'asset', fileName: 'first-page.json', source: JSON.stringify(parts) });
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

/**
 * Lets Chromium compile the first file next to the page, not function by function while it renders.
 * The comment has to be the first line, before what Vite adds itself.
 */
function compiledAhead(): Plugin {
  return {
    name: 'compiled-ahead',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.fileName.includes('/first-'))
            file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      },
    },
  };
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
      { find: /^react$/, replacement: 'preact/compat' },
      { find: /^react-dom$/, replacement: join(import.meta.dirname, 'src/preact/react-dom.ts') },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      {
        find: /^\.\/useDefaultLocale\.mjs$/,
        replacement: join(import.meta.dirname, 'src/preact/default-locale.ts'),
      },
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: 'preact/compat' },
    ],
  },
  plugins: [messages(), firstPage(), compiledAhead(), precompress()],
});
