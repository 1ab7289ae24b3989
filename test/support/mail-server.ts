import { createServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly to: string[];
  /** Names in lower case, folded lines joined. */
  readonly headers: readonly (readonly [string, string])[];
  /** Decoded, by media type. */
  readonly parts: Readonly<Record<string, string>>;
}

type Verdict = 'take' | 'refuse' | 'reject' | 'drop' | 'hang';

/**
 * A mail server that keeps its mails. On request it refuses temporarily (451, "try again later") or
 * permanently (550), drops the connection after DATA, or never answers.
 */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** Verdicts on the next mails. */
  readonly verdicts: Verdict[] = [];
  /** Verdict on all later mails. */
  defaultVerdict: Verdict = 'take';
  /** Connections that never get an answer. */
  readonly hung: string[] = [];
  private server: SMTPServer;

  private constructor(
    private readonly options: SMTPServerOptions,
    private port: number,
  ) {}

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const mailServer = new MailServer(options, 0);
    await mailServer.open();
    return mailServer;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    this.server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      ...this.options,
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const verdict = this.verdicts.shift() ?? this.defaultVerdict;
          if (verdict === 'drop') return this.drop(session.id);
          if (verdict === 'hang') return this.hung.push(session.id);
          if (verdict !== 'take')
            return done(
              Object.assign(new Error(verdict), { responseCode: verdict === 'refuse' ? 451 : 550 }),
            );
          const to = session.envelope.rcptTo.map(({ address }) => address);
          this.received.push({ to, ...parse(Buffer.concat(chunks).toString('utf8')) });
          done();
        });
      },
    });
    await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  private drop(id: string): void {
    for (const connection of this.server.connections)
      if ((connection as unknown as { id: string }).id === id) connection.close();
  }

  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }
}

/** A mail server that accepts connections and never writes a byte. */
export class SilentMailServer {
  private readonly sockets: Socket[] = [];
  private readonly server = createServer((socket) =>
    this.sockets.push(socket.on('error', () => undefined).resume()),
  );

  static async start(): Promise<SilentMailServer> {
    const silent = new SilentMailServer();
    await new Promise<void>((resolve) => silent.server.listen(0, '127.0.0.1', resolve));
    return silent;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.sockets.length;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

function parse(message: string): Pick<ReceivedMail, 'headers' | 'parts'> {
  const { headers, body } = split(message);
  const boundary = /boundary="([^"]+)"/.exec(valueOf(headers, 'content-type'))?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')))
    .map((part): [string, string] => [
      valueOf(part.headers, 'content-type').split(';')[0] ?? '',
      decode(part.body, valueOf(part.headers, 'content-transfer-encoding')),
    ]);
  return { headers, parts: Object.fromEntries(parts) };
}

function split(text: string): { headers: [string, string][]; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers, body: text.slice(end + 4) };
}

const valueOf = (headers: readonly (readonly [string, string])[], name: string): string =>
  headers.find(([known]) => known === name)?.[1] ?? '';

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
