import type { MailServer } from '../../support/mail-server.js';

type Link = 'verify-email' | 'accept-invitation' | 'reset-password';

/** Reads the users' mails in the order in which they arrive. */
export class Mailbox {
  private readonly tokens = new Map<string, string[]>();
  private read = 0;

  constructor(private readonly server: MailServer) {}

  /**
   * Returns the tokens of all links of this kind that were mailed to the address, the oldest first;
   * a token mailed twice is listed twice.
   */
  of(address: string, link: Link): readonly string[] {
    this.catchUp();
    return this.tokens.get(`${link} ${address}`) ?? [];
  }

  /** Number of mails that arrived more than once. */
  get duplicates(): number {
    this.catchUp();
    return [...this.tokens.values()].reduce((sum, all) => sum + all.length - new Set(all).size, 0);
  }

  private catchUp(): void {
    for (const { to, parts } of this.server.received.slice(this.read)) {
      this.read += 1;
      const [, link, token] = /\/([a-z-]+)\?token=([\w-]{43})/.exec(parts['text/plain'] ?? '') ?? [];
      if (token === undefined) continue;
      for (const address of to) {
        const key = `${link} ${address}`;
        this.tokens.set(key, [...(this.tokens.get(key) ?? []), token]);
      }
    }
  }
}
