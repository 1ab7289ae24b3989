import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import '../../src/app.module.js';
import { formatMessage, type Locale } from '../../src/platform/messages/index.js';
import { lackingPlurals } from '../support/plural-forms.js';

/** Portal texts of a language. */
const portalTexts = (locale: Locale) =>
  JSON.parse(readFileSync(`portal/src/messages/${locale}.json`, 'utf8')) as Record<string, string>;

describe('Plural forms', () => {
  const members = new IntlMessageFormat(portalTexts('pl')['members.count'] ?? '', 'pl');

  it.each([
    [1, '1 członek', 'Został 1 kod.'],
    [2, '2 członków', 'Zostały 2 kody.'],
    [4, '4 członków', 'Zostały 4 kody.'],
    [5, '5 członków', 'Zostało 5 kodów.'],
    [12, '12 członków', 'Zostało 12 kodów.'],
    [22, '22 członków', 'Zostały 22 kody.'],
    [25, '25 członków', 'Zostało 25 kodów.'],
    [1.5, '1,5 członka', 'Zostało 1,5 kodu.'],
  ])('of Polish fit %d', (count, portal, mail) => {
    expect(members.format({ count })).toBe(portal);
    const message = { id: 'mail.recovery-code-used.text', values: { left: count } } as const;
    expect(formatMessage(message, 'pl').endsWith(` ${mail}`)).toBe(true);
  });

  it.each([
    [0, 'Nie został żaden: utwórz nowe.'],
    [1, 'Został 1 kod.'],
  ])('of Polish say %d in words of their own', (left, end) => {
    const text = formatMessage({ id: 'mail.recovery-code-used.text', values: { left } }, 'pl');
    expect(text.endsWith(end)).toBe(true);
  });

  it('of Turkish are the same for one and many', () => {
    const text = new IntlMessageFormat(portalTexts('tr')['members.count'] ?? '', 'tr');
    expect([1, 5, 1.5].map((count) => text.format({ count }))).toEqual(['1 üye', '5 üye', '1,5 üye']);
  });

  it('are missed where a message lacks one', () => {
    const message = '<b>{count, plural, one {# plik} other {# pliku}}</b>';
    expect(lackingPlurals(message, 'pl')).toEqual(['many', 'few']);
    expect(lackingPlurals(message, 'tr')).toEqual([]);
    const inside = '{kind, select, a {{n, plural, one {#} few {#} other {#}}} other {x}}';
    expect(lackingPlurals(inside, 'pl')).toEqual(['many']);
  });
});
