import { readFileSync } from 'node:fs';
import { errorPage } from '../../src/platform/web/error-pages/error-page.js';

const CONTENT = { locale: 'en' as const, title: 'Title', lead: 'Lead', reference: 'HTTP 404', home: '/' };

describe('The error page', () => {
  it('has the colours of the portal', () => {
    const tokens = readFileSync('portal/src/styles/tokens.css', 'utf8');
    const colours = (css: string) =>
      new Map(
        [...css.matchAll(/--([\w-]+): ?(light-dark\([^)]*\))/g)].map(([, name, value]) => [
          name,
          value?.replaceAll(' ', ''),
        ]),
      );
    const portal = colours(tokens);
    const own = [...colours(errorPage(CONTENT))];
    expect(own.length).toBeGreaterThan(5);
    for (const [name, value] of own) expect([name, value]).toEqual([name, portal.get(name)]);
  });

  it('has the mark of the portal', () => {
    const [, drawing = '-'] =
      /<svg[^>]*>(.*)<\/svg>/.exec(readFileSync('portal/public/favicon.svg', 'utf8')) ?? [];
    expect(errorPage(CONTENT)).toContain(drawing);
  });

  it('escapes every text', () => {
    const text = `<script>alert("1")</script>&'`;
    const page = errorPage({
      locale: 'en',
      title: text,
      lead: text,
      reference: text,
      home: text,
      sections: [{ heading: text, text }],
    });
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('"1"');
    expect(page).not.toContain("&'");
  });
});
