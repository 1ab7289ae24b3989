import { IntlMessageFormat } from 'intl-messageformat';
import { formatMessage, replaceTexts } from '../../src/platform/messages/catalogue.js';
import '../../src/portal/portal.messages.js';

const ID = 'portal.no-script';

/** A text without syntax is returned as it is, without the parser. */
describe('A message without arguments', () => {
  afterAll(() => replaceTexts(new Map()));

  it.each([
    'Plain',
    "It's here",
    "It''s here",
    "'quoted' and ''twice''",
    "Braces '{'in quotes'}'",
    "A tag '<b>' in quotes, and one '>' more",
    'A tag <b>without</b> quotes',
    "'<b>' at the start",
    'Number #1 | or another',
    "Ends with '",
    "Ends with ''",
    '',
  ])('is what the parser makes of it: %j', (text) => {
    replaceTexts(new Map([['en', new Map([[ID, text]])]]));
    const parsed = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true });
    expect(formatMessage({ id: ID }, 'en')).toBe(parsed.format());
  });
});
