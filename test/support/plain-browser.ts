import { CookieJar } from './cookie-jar.js';

const ENTITIES: readonly (readonly [string, string])[] = [
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
];
const decoded = (text: string): string =>
  ENTITIES.reduce((result, [entity, character]) => result.replaceAll(entity, character), text);
const attributeOf = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : decoded(value);
};

/** A page, or the address at which the browser was stopped. */
export interface PlainPage {
  readonly url: string;
  readonly html: string;
}

/** A browser without scripts, for the pages of one provider. */
export class PlainBrowser {
  private readonly jar = new CookieJar();

  /** @param end start of the addresses that it does not open */
  constructor(private readonly end: string) {}

  /** Opens an address, and follows redirects until a page, or an address that it does not open. */
  async open(address: string, form?: Readonly<Record<string, string>>): Promise<PlainPage> {
    let body = form && new URLSearchParams(form);
    for (let url = new URL(address), hops = 0; hops < 20; hops += 1) {
      if (url.href.startsWith(this.end)) return { url: url.href, html: '' };
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: this.jar.header },
        ...(body && { method: 'POST', body }),
      });
      this.jar.keep(response);
      const html = await response.text();
      const location = response.headers.get('location');
      if (location === null) return { url: url.href, html };
      url = new URL(location, url);
      body = undefined;
    }
    throw new Error('The redirects do not end.');
  }

  /** Sends the form of a page, with these values in addition to its own. */
  submit({ url, html }: PlainPage, values: Readonly<Record<string, string>> = {}): Promise<PlainPage> {
    const [tag = ''] = /<form[^>]*>/.exec(html) ?? [];
    const action = attributeOf(tag, 'action') ?? '';
    return this.open(action === '' || action === '#' ? url : new URL(action, url).href, {
      ...fieldsOf(html),
      ...values,
    });
  }

  /** Calls an API of the provider with its cookies. */
  async call(method: string, address: string, body: object): Promise<number> {
    const response = await fetch(address, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.jar.header },
      body: JSON.stringify(body),
    });
    this.jar.keep(response);
    await response.body?.cancel();
    return response.status;
  }
}

/** Returns the hidden fields of a page. */
export function fieldsOf(html: string): Record<string, string> {
  const tags = (html.match(/<input[^>]*>/g) ?? []).filter((tag) => attributeOf(tag, 'type') === 'hidden');
  return Object.fromEntries(
    tags.map((tag) => [attributeOf(tag, 'name') ?? '', attributeOf(tag, 'value') ?? '']),
  );
}
