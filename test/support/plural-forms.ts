import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** Plural categories of English: who translates sees them there. */
const ENGLISH = new Set<string>(new Intl.PluralRules('en').resolvedOptions().pluralCategories);

/** By language; to find them takes a millisecond, and a language has thousands of texts. */
const further = new Map<string, readonly string[]>();

/** Returns the other plural categories of a language, for whole numbers below a thousand. */
function furtherCategoriesOf(locale: string): readonly string[] {
  const known = further.get(locale);
  if (known) return known;
  const found = findFurtherCategories(locale);
  further.set(locale, found);
  return found;
}

function findFurtherCategories(locale: string): string[] {
  const rules = new Intl.PluralRules(locale);
  const categories = Array.from({ length: 1_000 }, (_, count) => rules.select(count));
  return [...new Set(categories)].filter((category) => !ENGLISH.has(category));
}

/**
 * Returns the plural categories that a plural of a message lacks and English does not have, such as
 * `few` of Polish. A lacking one is formatted as `other`, which is the wrong form.
 * @param text in ICU MessageFormat
 * @param locale language of the text
 */
export function lackingPlurals(text: string, locale: string): string[] {
  const wanted = furtherCategoriesOf(locale);
  const lackingIn = (elements: readonly MessageFormatElement[]): string[] =>
    elements.flatMap((element) => {
      if (element.type === TYPE.tag) return lackingIn(element.children);
      if (element.type !== TYPE.plural && element.type !== TYPE.select) return [];
      const lacking = wanted.filter((category) => !(category in element.options));
      const inside = Object.values(element.options).flatMap(({ value }) => lackingIn(value));
      return element.type === TYPE.plural ? [...lacking, ...inside] : inside;
    });
  return lackingIn(parse(text));
}
