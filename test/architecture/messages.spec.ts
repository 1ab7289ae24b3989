import { globSync, readFileSync } from 'node:fs';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import '../../src/app.module.js';
import { LOCALES, type Locale, textsOf } from '../../src/platform/messages/index.js';
import { lackingPlurals } from '../support/plural-forms.js';

/** Words that are the same in English. */
const SAME: Readonly<Partial<Record<Locale, readonly string[]>>> = {
  de: [
    'mail.new-network.browser',
    'mail.session-traces.passkey',
    'scope.api',
    'scope.domain',
    'scope.webhook-subscription',
  ],
  es: ['export.page.no', 'scope.role', 'scope.webhook-subscription'],
  fr: ['scope.invitation', 'scope.session', 'scope.satellite', 'scope.webhook-subscription'],
  nl: [
    'mail.new-network.browser',
    'scope.operator',
    'scope.partnership',
    'scope.station',
    'scope.webhook-subscription',
  ],
  pl: ['scope.import'],
};

const TRANSLATIONS = Object.keys(LOCALES).filter((locale) => locale !== 'en') as Locale[];

/** Names of the arguments of a message, in plurals and selections as well. */
function argumentsOf(text: string): string[] {
  const names = (elements: readonly MessageFormatElement[]): string[] =>
    elements.flatMap((element) => {
      if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
      const inner =
        element.type === TYPE.plural || element.type === TYPE.select
          ? Object.values(element.options).flatMap(({ value }) => names(value))
          : [];
      return [element.value, ...inner];
    });
  return [...new Set(names(parse(text, { ignoreTag: true })))].toSorted();
}

describe('The message catalogue', () => {
  const english = [...textsOf('en')].filter(([id]) => !id.startsWith('shipment.'));

  it('has the texts of every module', () => {
    const files = globSync('src/**/*.messages.ts');
    expect(files.length).toBeGreaterThan(5);
    const declared = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map(([, id]) => id ?? ''),
    );
    expect(declared.toSorted()).toEqual(english.map(([id]) => id).toSorted());
  });

  // A release requires all: `npm run texts`.
  it.each(TRANSLATIONS)('has texts of English in %s, with the same arguments', (locale) => {
    const translated = [...textsOf(locale)].filter(([id]) => !id.startsWith('shipment.'));
    expect(translated.length).toBeGreaterThan(500);
    const texts = new Map(english);
    expect(translated.map(([id, text]) => [id, argumentsOf(text)])).toEqual(
      translated.map(([id]) => [id, argumentsOf(texts.get(id) ?? `no English text: ${id}`)]),
    );
  });

  it.each(Object.keys(LOCALES) as Locale[])('has all plural forms in %s', (locale) => {
    const lacking = [...textsOf(locale)].filter(([, text]) => lackingPlurals(text, locale).length > 0);
    expect(lacking).toEqual([]);
  });

  it.each(TRANSLATIONS)('is not in English in %s', (locale) => {
    const same = english.filter(([id, text]) => textsOf(locale).get(id) === text).map(([id]) => id);
    expect(same.toSorted()).toEqual([...(SAME[locale] ?? [])].toSorted());
  });
});
