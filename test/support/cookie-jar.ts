/** Cookies that a browser has of one host. */
export class CookieJar {
  private readonly cookies = new Map<string, string>();

  /** Value of the request header. */
  get header(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }

  keep({ headers }: Response): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}
