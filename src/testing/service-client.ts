import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../kernel/index.js';
import { eventually } from './eventually.js';
import { query } from './query.js';

interface CallOptions {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** Body sent unchanged, for texts that no serializer makes. */
  readonly raw?: string | Buffer<ArrayBuffer>;
}

/** An answer with its JSON already read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look at bodies of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: Record<string, never> & { [key: string]: unknown };
}

interface ReadMail {
  readonly text: string;
  /** Its header, in lower case: a look for a recipient reads no bodies. */
  readonly head: string;
}

/** An organization, with the owner who invites. */
interface Inviting {
  readonly id: string;
  readonly owner: { readonly token: string; readonly person: { readonly id: string } };
}

/** Calls a running service as a user does, and reads its database and mail folder. */
export class ServiceClient {
  /** Mails by file name. */
  private readonly mailsRead = new Map<string, ReadMail>();

  constructor(
    readonly url: string,
    readonly databaseUrl: string,
    protected readonly dataDir: string,
  ) {}

  /** Sends a request, with a body in JSON if there is one. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    { token, headers, raw }: CallOptions = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined || raw !== undefined ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    });
    const text = await response.text();
    // Not application/x-ndjson, which has a value a line.
    const json = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const answer = { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : {} };
    this.check(method, path, answer);
    return answer;
  }

  /** Waits for what the service does by itself. A subclass may be more patient. */
  protected waitUntil(what: string, ask: () => Promise<boolean>): Promise<void> {
    return eventually(what, ask);
  }

  /** Called with each answer. */
  protected check(_method: string, _path: string, _answer: Answer): void {
    // A subclass may compare answers with what it expects of all.
  }

  /** Posts to a path below `/api/v1/iam/auth/`. */
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', `/api/v1/iam/auth/${path}`, body, options);
  }

  /** Gets a path from the root. */
  get(path: string, token?: string): Promise<Answer> {
    return this.call('GET', path, undefined, token === undefined ? {} : { token });
  }

  /** Runs a statement in the service's database. @returns its rows */
  sql<T = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<T[]> {
    return query(this.databaseUrl, text, parameters) as Promise<T[]>;
  }

  /** Returns the mails to an address, oldest first, after waiting for at least `count`. */
  async mails(to: string, count = 1): Promise<string[]> {
    const recipient = `to: ${to.toLowerCase()}`;
    let mails: string[] = [];
    await this.waitUntil(`${count} mails to ${to} arrive`, async () => {
      mails = (await this.readMails()).filter(({ head }) => head.includes(recipient)).map(({ text }) => text);
      return mails.length >= count;
    });
    return mails;
  }

  /** Returns all mails in the folder, oldest first. Reads each file once: mails do not change. */
  private async readMails(): Promise<ReadMail[]> {
    const folder = join(this.dataDir, 'mail');
    const names = (await this.mailFiles()).toSorted();
    return Promise.all(
      names.map(async (name) => {
        const known = this.mailsRead.get(name);
        if (known) return known;
        const mail = await readMail(join(folder, name));
        if (mail.text !== '') this.mailsRead.set(name, mail);
        return mail;
      }),
    );
  }

  /** Names of the files in the mail folder. */
  async mailFiles(): Promise<string[]> {
    return readdir(join(this.dataDir, 'mail')).catch(() => []);
  }

  /** Returns the token in the newest mail to an address. */
  async mailedToken(to: string, count = 1): Promise<string> {
    return tokenIn((await this.mails(to, count)).at(-1) ?? '');
  }

  /** Creates a verified account. A subclass may do so in a shorter way than {@link register}. */
  createAccount(email?: string): Promise<{ email: string; password: string }> {
    return this.register(email);
  }

  /** Registers and verifies an account. */
  async register(
    email = `${newId().toLowerCase()}@example.com`,
    password = 'quiet-harbour-42',
  ): Promise<{ email: string; password: string }> {
    // Where an account of the address was erased, a mail without a link may arrive first, and those
    // of before may be removed while the new one is awaited.
    const tokens = async () =>
      (await this.mails(email, 0)).filter((mail) => TOKEN.test(joined(mail))).map(tokenIn);
    const before = new Set(await tokens());
    await this.post('register', { email, password, firstName: 'Ada' });
    let token = '';
    await this.waitUntil(`a link is mailed to ${email}`, async () => {
      token = (await tokens()).findLast((one) => !before.has(one)) ?? '';
      return token !== '';
    });
    const verified = await this.post('verify-email', { token });
    if (verified.status !== 204) throw new Error(`Verification answered ${verified.status}.`);
    return { email, password };
  }

  /**
   * Invites an address to an organization. A subclass may do so in a shorter way.
   * @returns the token of the mailed link
   */
  async invite({ id, owner }: Inviting, email: string, roles: readonly string[]): Promise<string> {
    const { length: mailed } = await this.mails(email);
    const path = `/api/v1/iam/tenants/${id}/invitations`;
    const { status } = await this.call('POST', path, { email, roles }, { token: owner.token });
    if (status !== 201) throw new Error(`Inviting answered ${status}.`);
    return this.mailedToken(email, mailed + 1);
  }

  /** Returns tokens of a new session. */
  async login({
    email,
    password,
  }: {
    email: string;
    password: string;
  }): Promise<{ accessToken: string; refreshToken: string; sessionId: string }> {
    const { status, body } = await this.post('login', { email, password });
    if (status !== 200) throw new Error(`Login answered ${status}.`);
    return body as unknown as { accessToken: string; refreshToken: string; sessionId: string };
  }
}

/** Returns a mail; one that an erasure has removed in between has no text. */
async function readMail(file: string): Promise<ReadMail> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [head = ''] = text.split(/\r?\n\r?\n/, 1);
  return { text, head: head.toLowerCase() };
}

/** Returns the items of a list. */
export function itemsOf<T = unknown>({ body }: Answer): T[] {
  return body['items'] as unknown as T[];
}

const TOKEN = /token=(?:3D)?([\w-]{43})/;

/** Removes the line ends that quoted-printable adds (RFC 2045 section 6.7). */
const joined = (mail: string): string => mail.replace(/=\n/g, '');

/** Returns the one-time token of the link in a mail. */
export function tokenIn(mail: string): string {
  const [, token] = TOKEN.exec(joined(mail)) ?? [];
  if (token === undefined) throw new Error('The mail has no token.');
  return token;
}
