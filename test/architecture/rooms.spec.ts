import '../../src/app.module.js';
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { errorCodes } from '../../src/platform/errors/index.js';
import { strictBuckets } from '../../src/platform/rate-limit/index.js';

const sources = globSync('src/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const below = sources.filter(({ path }) => /^src\/(kernel|platform)\//.test(path));

/** Most lines of a service, and classes that any class may work with. */
const MAX_LINES = 250;
const MAX_COLLABORATORS = 6;
/** Services that are longer. Split one where you change it; the list may only get shorter. */
const LONG: readonly string[] = ['src/session/tokens/access-token.service.ts'];

/** Files with a class that works with more. The list may only get shorter, too. */
const CROWDED: readonly string[] = [
  'src/connection/domains/domain-review.ts',
  'src/extras/signals/delivery/signal-pusher.ts',
  'src/iam/organizations/members/access-cache.ts',
  'src/session/grants/grant-rotation.ts',
  'src/session/tokens/authenticator.ts',
  'src/testing/organization.ts',
];

/** Returns the most parameters that a constructor of a file has. */
function collaboratorsOf(path: string, text: string): number {
  let most = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isConstructorDeclaration(node)) most = Math.max(most, node.parameters.length);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return most;
}

const filesWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

/** Returns the texts in quotes of a file. */
function literalsOf(path: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

describe('Modules', () => {
  it('declare error codes in *.errors.ts and buckets in *.limits.ts or *.declarations.ts', () => {
    const errors = filesWith(/(?<!function )\bdeclareErrors\(/);
    expect(errors).toContain('src/session/session.errors.ts');
    expect(errors.filter((path) => !path.endsWith('.errors.ts'))).toEqual([]);
    const limits = filesWith(/\bnew (Strict|Silent)Bucket\(/);
    expect(limits).toContain('src/session/session.declarations.ts');
    expect(limits.filter((path) => !/\.(limits|declarations)\.ts$/.test(path))).toEqual([]);
  });

  it('keep their error codes and buckets out of kernel and platform', () => {
    const own = readFileSync('src/platform/errors/http.errors.ts', 'utf8');
    const codes = errorCodes().filter((code) => !new RegExp(`^  '?${code}'?: \\{$`, 'm').test(own));
    expect(codes).toContain('not-a-member');
    const words = new Set<string>([...codes, ...strictBuckets().map(({ name }) => name)]);
    const wrong = below.flatMap(({ path, text }) =>
      literalsOf(path, text)
        .filter((literal) => words.has(literal))
        .map((literal) => `${path}: ${literal}`),
    );
    expect(wrong).toEqual([]);
  });

  it('declare metadata by Reflector.createDecorator', () => {
    const wrapper = 'src/platform/api/versions/versioned.decorator.ts'; // copies those of a handler
    expect(filesWith(/\bSetMetadata\b|\bReflect\.(define|getOwn|has)Metadata\(/)).toEqual([wrapper]);
    // Those of the framework's own routes.
    expect(filesWith(/\bReflect\.getMetadata\(/)).toEqual([wrapper, 'src/access/route-manifest.ts']);
  });

  it('get what they use by their constructors', () => {
    expect(filesWith(/\bModuleRef\b/)).toEqual([]);
  });

  it('have services that a reader can hold in mind', () => {
    const services = sources.filter(({ path }) => path.endsWith('.service.ts'));
    expect(services.length).toBeGreaterThan(50);
    const long = services.filter(({ text }) => text.split('\n').length - 1 > MAX_LINES);
    expect(long.map(({ path }) => path).toSorted()).toEqual(LONG);
  });

  it('have classes that work with few others', () => {
    const crowded = sources.filter(({ path, text }) => collaboratorsOf(path, text) > MAX_COLLABORATORS);
    expect(crowded.map(({ path }) => path).toSorted()).toEqual(CROWDED);
  });

  it('document each list by @Paged, and no list by a class of its own', () => {
    const lists = sources.filter(({ text }) => text.includes('@PageOf()'));
    const counts = lists.map(({ path, text }) => [
      path,
      text.split('@PageOf()').length,
      text.split('@Paged(').length,
    ]);
    expect(counts.length).toBeGreaterThan(5);
    expect(counts.filter(([, pages, documented]) => pages !== documented)).toEqual([]);
    // The feed of events has no end: its last page has a cursor as well.
    expect(filesWith(/^ {2}nextCursor[?!]?: /m)).toEqual(['src/webhook/feed/event.dto.ts']);
  });
});
