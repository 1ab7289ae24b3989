import { globSync, readFileSync } from 'node:fs';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import ts from 'typescript';
import '../../src/app.module.js';
import { recordedActions } from '../../src/iam/index.js';
import { eventTypes } from '../../src/platform/events/index.js';
import { LOCALES } from '../../src/platform/messages/index.js';
import { ACTIONS_WITHOUT_EVENT } from '../support/route-events.js';
import { lackingPlurals } from '../support/plural-forms.js';

const FOLDER = 'portal/src/messages';
const textsOf = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(`${FOLDER}/${locale}.json`, 'utf8')) as Record<string, string>;
const english = textsOf('en');
const sources = globSync('portal/src/**/*.{ts,tsx}').map((file) => ({
  file,
  code: readFileSync(file, 'utf8'),
}));

/** Names of arguments and tags. */
function namesIn(text: string): string[] {
  const names = (elements: readonly MessageFormatElement[]): string[] =>
    elements.flatMap((element) => {
      if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
      if (element.type === TYPE.tag) return [`<${element.value}>`, ...names(element.children)];
      const inner =
        element.type === TYPE.plural || element.type === TYPE.select
          ? Object.values(element.options).flatMap(({ value }) => names(value))
          : [];
      return [element.value, ...inner];
    });
  return [...new Set(names(parse(text)))].toSorted();
}

/** Attributes that people read, or that screen readers announce. */
const READ = /^(?:title|label|lead|hint|alt|placeholder|confirm|aria-label)$/;

/** Texts that are written in a page in place of the catalogue. */
function rawTextsIn({ file, code }: (typeof sources)[number]): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) found.push(node.text.trim());
    if (
      ts.isJsxAttribute(node) &&
      READ.test(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer)
    )
      found.push(node.initializer.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found.filter((text) => /\p{L}/u.test(text)).map((text) => `${file}: ${text}`);
}

describe('Texts of the portal', () => {
  it('are all in the catalogue', () => {
    expect(sources.length).toBeGreaterThan(60);
    const raw = sources.flatMap(rawTextsIn).filter((text) => !text.endsWith(': Gatehouse'));
    expect(raw).toEqual([]);
  });

  it('are all used', () => {
    const code = sources.map((source) => source.code).join('\n');
    const prefixes = [...code.matchAll(/`([a-z.-]+\.)\$\{/g)].map(([, prefix]) => prefix ?? '');
    const unused = Object.keys(english).filter(
      (id) => !code.includes(`'${id}'`) && !prefixes.some((prefix) => id.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });

  it('name every event that the service records', () => {
    const recorded = [...recordedActions(), ...Object.keys(ACTIONS_WITHOUT_EVENT)];
    expect(recorded.length).toBeGreaterThan(200);
    expect(recorded.filter((action) => !(`event.${action}` in english))).toEqual([]);
  });

  it('name every kind of mail that the service sends', () => {
    const texts = globSync('src/**/*.messages.ts').flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/'mail\.([a-z-]+)\.subject'/g),
    ]);
    const budgets = globSync('src/**/*.ts').flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/(?:budget: |\.send\([^{}]*)\{\s*kind: '([a-z-]+)'/g),
    ]);
    expect([texts.length > 30, budgets.length > 20]).toEqual([true, true]);
    const kinds = [...texts, ...budgets].map(([, kind = '']) => kind);
    // Two mails, of one kind.
    const sent = kinds.filter((kind) => !['ownership-transferred', 'ownership-received'].includes(kind));
    const named = Object.keys(english).flatMap((id) => /^operator\.mail-kind\.(.+)$/.exec(id)?.[1] ?? []);
    expect(named.toSorted()).toEqual([...new Set(sent)].toSorted());
  });

  it('describe every type of event as the service does', () => {
    const declared = eventTypes().map(({ name, description }) => [`webhooks.type.${name}`, description]);
    expect(declared.length).toBeGreaterThan(100);
    const described = Object.entries(english).filter(([id]) => id.startsWith('webhooks.type.'));
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(declared));
  });

  it.each([
    ['de', /^Sie (?!\S+en\b|sind\b)/],
    ['es', /^Tú (?!\S+s\b)/],
    ['fr', /^Vous (?!(?:vous |n’)?(?:\S+ez|êtes)\b)/],
  ])('name oneself in the third person before events in %s', (locale, secondBeforeThird) => {
    const texts = textsOf(locale);
    const deeds = Object.keys(texts)
      .filter((id) => id.startsWith('event.'))
      .map((id) => `${texts['trail.you']} ${texts[id]}`);
    expect(deeds.length).toBeGreaterThan(100);
    expect(deeds.filter((deed) => secondBeforeThird.test(deed))).toEqual([]);
  });

  it.each(Object.keys(LOCALES))('have all plural forms in %s', (locale) => {
    const lacking = Object.entries(textsOf(locale)).filter(
      ([, text]) => lackingPlurals(text, locale).length > 0,
    );
    expect(lacking).toEqual([]);
  });

  describe.each(Object.keys(LOCALES).filter((locale) => locale !== 'en'))('in %s', (locale) => {
    const translated = textsOf(locale);

    // A release requires all: `npm run texts`.
    it('have the arguments and elements of the English ones, in their order', () => {
      expect(Object.keys(translated).length).toBeGreaterThan(1_000);
      expect(Object.keys(translated)).toEqual(Object.keys(english).filter((id) => id in translated));
      for (const [id, text] of Object.entries(translated))
        expect([id, namesIn(text)]).toEqual([id, namesIn(english[id] ?? '')]);
    });

    it('are not in English', () => {
      // Words that are the same in both languages.
      const same = Object.keys(english).filter((id) => english[id] === translated[id]);
      expect(same).toMatchSnapshot();
    });
  });
});
