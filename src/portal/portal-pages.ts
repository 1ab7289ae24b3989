import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ProviderRegistry } from '../external-identity/index.js';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import type { Pages } from '../platform/web/index.js';
import { nameRoute } from '../platform/observability/index.js';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.js';
import { PAGE_PATHS } from './page-paths.js';
import { readFiles, StaticFile } from './static-file.js';
import { SessionCookies } from './session-cookies.js';
import { hasMailbox } from './mailbox.controller.js';

const FOLDER = 'portal/dist';
/** Placeholder in the built page, replaced at the start of the service. */
const PLACEHOLDER = 'content="{}"';
const PAGE = new RegExp(
  `^(?:${Object.values(PAGE_PATHS)
    .map((path) => path.replace(/:\w+/g, '[^/]+'))
    .join('|')})/?$`,
);

/** Route names of the portal's files and pages in logs and metrics. */
const FILE_ROUTE = '/portal/file';
const PAGE_ROUTE = '/portal/page';

/** Serves the portal from memory: one document for all pages, and its files. */
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
   * Reads the files after all modules have registered their identity providers.
   * @throws if the portal has not been built
   */
  onModuleInit(): void {
    // Of this package, which may be a dependency of the started program.
    const folder = join(findPackageJSON('.', import.meta.url) ?? '', '..', FOLDER);
    if (!existsSync(join(folder, 'index.html')))
      throw new Error('The portal is not built: run "npm run build", or set PORTAL=off.');
    const configuration = {
      providers: this.providers.configured.map((kind) => ({
        kind,
        name: this.providers.ownNameOf(kind),
      })),
      sessionCookie: this.cookies.sessionName,
      mailbox: hasMailbox(this.settings),
      emailSignIn: this.settings.EMAIL_SIGN_IN === 'on',
      passwordBlocklist: this.settings.PASSWORD_BLOCKLIST,
    };
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    this.document = StaticFile.createPage(
      html.replace(PLACEHOLDER, () => `content="${escape(JSON.stringify(configuration))}"`),
    );
    this.files = readFiles(folder);
  }

  /**
   * Answers a request for a page or a file of the portal.
   * @returns false if the request is for neither
   */
  answer(request: Request, response: Response): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const file = this.files.get(request.path);
    if (file) {
      nameRoute(request, FILE_ROUTE);
      file.send(request, response);
      return true;
    }
    if (!PAGE.test(request.path)) return false;
    nameRoute(request, PAGE_ROUTE);
    response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    this.document.send(request, response);
    return true;
  }
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
