import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Files under this path have their hash in their name: another content is another file. */
const HASHED = '/assets/';
const YEAR = 31_536_000;

/** A file in memory, with its compressed forms. */
export class StaticFile {
  private readonly etag: string;

  constructor(
    private readonly type: string,
    private readonly caching: string,
    private readonly content: { readonly identity: Buffer; readonly br: Buffer; readonly gzip: Buffer },
  ) {
    this.etag = `W/"${createHash('sha256').update(content.identity).digest('base64url').slice(0, 22)}"`;
  }

  /** A page that is made when the service starts. */
  static page(html: string): StaticFile {
    const identity = Buffer.from(html);
    return new StaticFile('text/html; charset=utf-8', 'no-cache', {
      identity,
      br: brotliCompressSync(identity),
      gzip: gzipSync(identity),
    });
  }

  /** To GET and HEAD, in the form that the caller takes; 304 where they have it. */
  send(request: Request, response: Response, status = 200): void {
    response.status(status).set({
      'Content-Type': this.type,
      'Cache-Control': this.caching,
      ETag: this.etag,
      // Pages of this origin alone may load it.
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    response.vary('Accept-Encoding');
    if (status === 200 && request.fresh) return void response.status(304).end();
    const encoding = request.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
    const bytes = this.content[encoding as keyof typeof this.content];
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.set('Content-Length', String(bytes.length)).end(bytes);
  }
}

/** The files of a folder by the paths that they are asked for by. Beside each lie its compressed forms, as the build made them. */
export function readFolder(folder: string): Map<string, StaticFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      const file = join(folder, name);
      if (type === undefined || !existsSync(`${file}.br`)) return [];
      const path = `/${name.replaceAll('\\', '/')}`;
      const caching = path.startsWith(HASHED) ? `public, max-age=${YEAR}, immutable` : 'no-cache';
      const [identity, br, gzip] = [file, `${file}.br`, `${file}.gz`].map((one) => readFileSync(one));
      if (!identity || !br || !gzip) return [];
      return [[path, new StaticFile(type, caching, { identity, br, gzip })] as const];
    }),
  );
}
