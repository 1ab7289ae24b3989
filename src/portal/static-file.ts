import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};
/** Files below this path have a content hash in their name, so that they never change. */
const HASHED = '/assets/';
const YEAR_SECONDS = 31_536_000;

/** A file with its compressed forms, which are read or made when they are sent. */
export class StaticFile {
  private hash: string | undefined;

  constructor(
    private readonly type: string,
    private readonly caching: string,
    private readonly content: { readonly identity: Buffer; readonly br: Buffer; readonly gzip: Buffer },
  ) {}

  private get etag(): string {
    this.hash ??= hash('sha256', this.content.identity, 'base64url').slice(0, 22);
    return `W/"${this.hash}"`;
  }

  /**
   * Creates a page from HTML that is known at the start of the service. Compresses it when a form
   * is first sent: a process sends few of them, and all took 0.04 s of CPU time at each start.
   */
  static createPage(html: string): StaticFile {
    const identity = Buffer.from(html);
    const compressed: { br?: Buffer; gzip?: Buffer } = {};
    return new StaticFile('text/html; charset=utf-8', 'no-cache', {
      identity,
      get br() {
        return (compressed.br ??= brotliCompressSync(identity));
      },
      get gzip() {
        return (compressed.gzip ??= gzipSync(identity));
      },
    });
  }

  /** Answers GET and HEAD in an encoding that the client accepts; 304 if its copy is current. */
  send(request: Request, response: Response): void {
    response.status(200).set({
      'Content-Type': this.type,
      'Cache-Control': this.caching,
      ETag: this.etag,
      // Only pages of this origin may load the file.
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.vary('Accept-Encoding');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    // Asked for one by one: browsers name gzip first, and of equals the first would be chosen.
    const encoding = (['br', 'gzip'] as const).find((one) => request.acceptsEncodings(one)) ?? 'identity';
    const bytes = this.content[encoding];
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.set('Content-Length', String(bytes.length)).end(bytes);
  }
}

/**
 * Lists the files of a folder, by request path. Skips a file without the compressed forms that the
 * build writes next to it. A file is read each time it is sent, from the system's cache: all of
 * them in memory took 3.7 MB of each process.
 */
export function listFiles(folder: string): Map<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      const file = join(folder, name);
      if (type === undefined || !existsSync(`${file}.br`)) return [];
      const path = `/${name.replaceAll('\\', '/')}`;
      const caching = path.startsWith(HASHED) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache';
      const content = {
        get identity() {
          return readFileSync(file);
        },
        get br() {
          return readFileSync(`${file}.br`);
        },
        get gzip() {
          return readFileSync(`${file}.gz`);
        },
      };
      return [[path, new StaticFile(type, caching, content)] as const];
    }),
  );
}
