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
import { basename, join } from 'node:path';
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
/**
 * Modules that load a package by `createRequire`: a second copy next to the bundled one, with its
 * own store of decorators.
 */
const REQUIRING =
  /\/@nestjs\/(typeorm\/dist\/common\/typeorm-compat|mapped-types\/dist\/type-helpers\.utils)\.js$/;
const CREATE_REQUIRE = 'const require = createRequire(import.meta.url);';

/** Tables of iconv-lite for the charsets of East Asia, 460 KB: Express accepts no body in them. */
const TABLES = /\/iconv-lite\/encodings\/tables\/\w+\.json$/;

const singleCopies = {
  name: 'single-copies',
  load: {
    filter: { id: [OTHER_DRIVERS, TABLES] },
    handler: () => ({ code: 'module.exports = {};', moduleType: 'js' }),
  },
  transform: {
    filter: { id: REQUIRING },
    handler(code, id) {
      if (!code.includes(CREATE_REQUIRE)) throw new Error(`${id} does not load its package as expected.`);
      return { code: code.replace(CREATE_REQUIRE, ''), map: null };
    },
  },
};

/** Leads stack traces to the sources, and not to what the compiler made of them. */
const sources = {
  name: 'sources',
  load: {
    filter: { id: /\/dist\/(src|migrations)\/.*\.js$/ },
    handler: (id) => ({ code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') }),
  },
};

rmSync(FOLDER, { recursive: true, force: true });
const bundle = await rolldown({
  input: { 'src/main': 'dist/src/main.js', 'src/cli/main': 'dist/src/cli/main.js' },
  platform: 'node',
  external: [...NATIVE, ...UNUSED],
  plugins: [singleCopies, sources],
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
