// Writes the service and the command line as they are run (docs/adr/0058-bundle.md): dist/bundle,
// from what `nest build` has written to dist.
import {
  copyFileSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const FOLDER = 'dist/bundle';
/** Found next to the code that reads them. */
const ASSETS = ['dist/src/iam/accounts/credentials/common-passwords.bin', 'dist/src/locales/*.json'];

/** Has a binary for each platform. */
const NATIVE = ['bcrypt'];
/** Imported by a package only if it is set up for them; not installed, or only for tools. */
const UNUSED = ['typescript', 'pg-native', /^@nestjs\/(microservices|websockets)/, '@fastify/static'];

/** Drivers of TypeORM for other databases than PostgreSQL. */
const OTHER_DRIVERS = /\/typeorm\/driver\/(?!postgres\/|types\/|mongodb\/)[\w-]+\/\w+Driver\.js$/;
/** Tables of iconv-lite for the charsets of East Asia, 460 KB: Express accepts no body in them. */
const TABLES = /\/iconv-lite\/encodings\/tables\/[\w-]+\.json$/;
/** Uploads of files by forms: no route takes them. It has its own copy of the types of files. */
const UPLOADS = /\/multer\/index\.js$/;

/** Types of files, by which Express knows the type of what it sends. */
const FILE_TYPES = /\/mime-db\/db\.json$/;
/** What Express and the service name by its extension. */
const NAMED = ['bin', 'html', 'json', 'txt'];

const omissions = {
  name: 'omissions',
  load: {
    filter: { id: [OTHER_DRIVERS, TABLES, UPLOADS] },
    handler: () => ({ code: 'module.exports = {};', moduleType: 'js' }),
  },
  transform: {
    filter: { id: FILE_TYPES },
    handler(json) {
      const isUsed = ({ charset, extensions = [] }) =>
        charset !== undefined || extensions.some((extension) => NAMED.includes(extension));
      const types = Object.entries(JSON.parse(json)).filter(([, type]) => isUsed(type));
      return { code: JSON.stringify(Object.fromEntries(types)), map: null };
    },
  },
};

/**
 * Replaces `require` by `createRequire` in packages that load another one so: it would be a second
 * copy next to the bundled one, with its own store of decorators.
 */
const singleCopies = {
  name: 'single-copies',
  transform: {
    filter: {
      id: /\/@nestjs\/(typeorm\/dist\/common\/typeorm-compat|mapped-types\/dist\/type-helpers\.utils)\.js$/,
    },
    handler: (code, id) => ({
      code: without(code, 'const require = createRequire(import.meta.url);', id)
        // The bundler keeps what is used of a namespace: not the rules of all decorators.
        .replaceAll("const classValidator = require('class-validator');", '')
        .replaceAll("require('class-validator')", 'classValidator')
        .replace(/^/, "import * as classValidator from 'class-validator';"),
      map: null,
    }),
  },
};

/** Returns code without a line. @throws if a release of the package no longer has it */
function without(code, line, id) {
  if (!code.includes(line)) throw new Error(`${id} is not as expected: ${line}`);
  return code.replace(line, '');
}

/**
 * Has Nest's own log format dates when it is written to: the service has another one. A format of
 * dates looks through the data of all languages: 2 MB, and 6 MB of Node's program (measured).
 */
const datesOnDemand = {
  name: 'dates-on-demand',
  transform: {
    filter: { id: /\/@nestjs\/common\/services\/(console-)?logger\.service\.js$/ },
    handler(code, id) {
      const eager = /(?<=dateTimeFormatter = )(new Intl\.DateTimeFormat\([^;]+\));/;
      if (!eager.test(code)) throw new Error(`${id} is not as expected: it has no format of dates`);
      return { code: code.replace(eager, '{ format: (date) => $1.format(date) };'), map: null };
    },
  },
};

/** Packages with another form for Node, of which the bundler could leave nothing out. */
const AS_MODULES = {
  'class-validator': 'class-validator/esm2015/index.js',
  rxjs: 'rxjs/dist/esm/index.js',
  'rxjs/operators': 'rxjs/dist/esm/operators/index.js',
};
/** Imported by a pipe and an interceptor of Nest that the service does not use. */
const ON_DEMAND = new Set(['class-validator', 'class-transformer']);

const asModules = {
  name: 'as-modules',
  resolveId: {
    filter: { id: [/^class-/, /^rxjs/] },
    handler(id, _importer, { kind }) {
      if (kind === 'dynamic-import' && ON_DEMAND.has(id)) return { id, external: true };
      return id in AS_MODULES ? resolve('node_modules', AS_MODULES[id]) : null;
    },
  },
};

/**
 * Gets the modules of Node by a call. An import reads each export, and `node:http`
 * loads Node's own client of HTTP for `WebSocket`: 35 ms of the start, and 4 MB (measured).
 */
const builtins = {
  name: 'builtins',
  resolveId: {
    filter: { id: /^[a-z]/ },
    handler(id, importer, { kind }) {
      const isOurs = kind === 'import-statement' && !importer?.startsWith('\0'); // not of the bundler
      return isOurs && isBuiltin(id) ? `\0builtin:${id}` : null;
    },
  },
  load: {
    filter: { id: /^\0builtin:/ },
    handler: (id) => ({
      code: `module.exports = process.getBuiltinModule('${id.slice('\0builtin:'.length)}');`,
      moduleType: 'js',
    }),
  },
};

/** What the compiler writes into each file with a decorator, 2,400 times in all. */
const HELPER = /^function (_ts_decorate|_ts_metadata|_ts_param)\([^]*?\n}$/gm;
/** Text of each helper. */
const helpers = new Map();

/**
 * Leads stack traces to the sources, and not to what the compiler made of them; has each helper of
 * the compiler once.
 */
const sources = {
  name: 'sources',
  resolveId: { filter: { id: /^\0helper:/ }, handler: (id) => id },
  load: {
    filter: { id: [/\/dist\/(src|migrations)\/.*\.js$/, /^\0helper:/] },
    handler(id) {
      if (id.startsWith('\0'))
        return { code: `export ${helpers.get(id.slice('\0helper:'.length))}`, map: null };
      const code = readFileSync(id, 'utf8').replace(HELPER, (text, name) => {
        if ((helpers.get(name) ?? text) !== text) throw new Error(`${id} has another ${name}.`);
        helpers.set(name, text);
        const lines = text.split('\n').length - 1; // the map counts them
        return `import { ${name} } from '\0helper:${name}';${'\n'.repeat(lines)}`;
      });
      return { code, map: readFileSync(`${id}.map`, 'utf8') };
    },
  },
};

rmSync(FOLDER, { recursive: true, force: true });
const bundle = await rolldown({
  input: { 'src/main': 'dist/src/main.js', 'src/cli/main': 'dist/src/cli/main.js' },
  platform: 'node',
  external: [...NATIVE, ...UNUSED],
  plugins: [builtins, asModules, omissions, singleCopies, datesOnDemand, sources],
});
const { output } = await bundle.write({
  dir: FOLDER,
  chunkFileNames: 'chunks/[name]-[hash].js',
  sourcemap: 'hidden',
  // As Node does for code in node_modules: passport-oauth2 calls url.parse().
  banner: ({ isEntry }) => (isEntry ? 'process.noDeprecation = true;' : ''),
  // Decorators and texts depend on the order of modules, schemas and logs on the names of classes.
  strictExecutionOrder: true,
  keepNames: true,
  // V8 keeps a file in two bytes for each character if one of them is not ASCII.
  charset: 'ascii',
  comments: false, // LICENSES.txt has the licences
  minify: { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true } },
});
for (const file of globSync(ASSETS)) copyFileSync(file, join(FOLDER, 'chunks', basename(file)));
for (const { fileName, source } of output.filter(({ fileName }) => fileName.endsWith('.map'))) {
  const { sourcesContent: _text, ...map } = JSON.parse(source);
  writeFileSync(join(FOLDER, fileName), JSON.stringify(map));
}
// Only the SQL of the migrations stays as it was released.
const wide = output.find(({ name, code = '' }) => name !== 'migrations' && /[^\0-\x7f]/.test(code));
if (wide) throw new Error(`${wide.fileName} is not ASCII: ${/.{0,40}[^\0-\x7f]/.exec(wide.code)[0]}`);
const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
writeFileSync(join(FOLDER, 'LICENSES.txt'), licensesOf(modules));

/** Returns the licence files of the bundled packages: their only duty is to keep the notice. */
function licensesOf(files) {
  const folders = new Set(files.map((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]));
  return [...folders]
    .filter((folder) => folder !== undefined && existsSync(join(folder, 'package.json')))
    .sort()
    .map((folder) => {
      const {
        name,
        version,
        license = 'see below',
      } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const texts = readdirSync(folder)
        .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file) && !file.endsWith('.js'))
        .map((file) => readFileSync(join(folder, file), 'utf8').trim());
      return [`${name}@${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
