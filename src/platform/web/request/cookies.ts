// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- for each tsconfig
/// <reference path="./cookie.d.ts" />
import type { IncomingMessage } from 'node:http';
import { parse } from 'cookie';

/** Returns the value of a cookie, undecoded; the first if a browser sends several of this name. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  return parse(headers.cookie ?? '', { decode: String })[name];
}
