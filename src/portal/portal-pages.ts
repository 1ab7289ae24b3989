import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ProviderRegistry } from '../external-identity/index.js';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import type { Pages } from '../platform/web/index.js';
import { nameRoute } from '../platform/observability/index.js';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.js';
import { PAGE_PATHS } from './page-paths.js';
import { readFolder, StaticFile } from './static-file.js';
import { SessionCookies } from './session-cookies.js';
import { hasMailbox } from './mailbox.controller.js';

const FOLDER = 'portal/dist';
/** In the page that the build makes; what stands in its place is known when the service starts. */
const PLACEHOLDER = 'content="{}"';
const PAGE = new RegExp(
  `^(?:${Object.values(PAGE_PATHS)
    .map((path) => path.replace(/:\w+/g, '[^/]+'))
    .join('|')})/?$`,
);

/** What logs and metrics call a file of the portal, and all of its pages. */
const FILES = '/portal/file';
const PAGES_OF_ALL = '/portal/page';

/** The portal as browsers load it: one document for all of its pages, and the files behind it, all in memory. */
@Injectable()
export class PortalPages implements Pages, OnModuleInit {
  private document: StaticFile;
  private files: ReadonlyMap<string, StaticFile>;

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly cookies: SessionCookies,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Now that the ways to sign in of all modules are there.
   * @throws where the portal has not been built
   */
  onModuleInit(): void {
    const folder = join(process.cwd(), FOLDER);
    if (!existsSync(join(folder, 'index.html')))
      throw new Error('The portal is not built: run "npm run build", or set PORTAL=off to do without it.');
    const knowledge = {
      kinds: this.providers.configured,
      sessionCookie: this.cookies.sessionName,
      mailbox: hasMailbox(this.settings),
    };
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    this.document = StaticFile.page(
      html.replace(PLACEHOLDER, () => `content="${escape(JSON.stringify(knowledge))}"`),
    );
    this.files = readFolder(folder);
  }

  answer(request: Request, response: Response): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = this.files.get(request.path);
    if (file) {
      nameRoute(request, FILES);
      file.send(request, response);
      return true;
    }
    const known = PAGE.test(request.path);
    // Somebody who has mistyped an address gets a page that says so; a program gets its problem.
    if (!known && !(request.headers.accept ?? '').includes('text/html')) return false;
    nameRoute(request, PAGES_OF_ALL);
    response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    this.document.send(request, response, known ? 200 : 404);
    return true;
  }
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
