import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ProviderRegistry } from '../external-identity/index.js';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import {
  DEFAULT_LOCALE,
  escapeHtml,
  findLocale,
  type Locale,
  LOCALES,
  textIn,
} from '../platform/messages/index.js';
import { cookieOf, type Pages } from '../platform/web/index.js';
import { nameRoute } from '../platform/observability/index.js';
import { CONTENT_SECURITY_POLICY, STATION_POLICY, STATION_WORKER_POLICY } from './content-security-policy.js';
import { type PortalConfiguration, writeFirstPage } from './first-page.js';
import type { FirstPageParts } from './first-page-texts.js';
import { PAGE_PATHS } from './page-paths.js';
import './portal.messages.js';
import { listFiles, StaticFile } from './static-file.js';
import { SessionCookies } from './session-cookies.js';
import { hasMailbox } from './mailbox.controller.js';

const FOLDER = 'portal/dist';
const CSP = 'Content-Security-Policy';
/** Service worker of the page of stations. */
const STATION_WORKER = '/station-worker.js';
/** Written by the build for {@link writeFirstPage}, by language. */
const FIRST_PAGE = 'first-page.json';
/** Places in the built page that are replaced. */
const PLACES = {
  language: '<html lang="en">',
  configuration: 'content="{}"',
  head: '</head>',
  root: '<div id="root">',
  description: textIn(DEFAULT_LOCALE)('portal.description'),
  noScript: textIn(DEFAULT_LOCALE)('portal.no-script'),
};
const PAGE = new RegExp(
  `^(?:${Object.values(PAGE_PATHS)
    .map((path) => path.replace(/:\w+/g, '[^/]+'))
    .join('|')})/?$`,
);

/** Pages that are the sign-in page for users who are not signed in. */
const SIGN_IN = new RegExp(`^(?:${PAGE_PATHS.home}|${PAGE_PATHS.signIn}/?)$`);

const STATION = new RegExp(`^${PAGE_PATHS.station}/?$`);

/** Route names of the portal's files and pages in logs and metrics. */
const FILE_ROUTE = '/portal/file';
const PAGE_ROUTE = '/portal/page';

/**
 * Serves the portal: its files, and one document for all pages, in each language. That
 * of the sign-in page has its content as well.
 */
@Injectable()
export class PortalPages implements Pages, OnModuleInit {
  private configuration: PortalConfiguration;
  /** Document of all pages, in English. */
  private html: string;
  private parts: Readonly<Record<Locale, FirstPageParts>>;
  private files: ReadonlyMap<string, StaticFile>;
  /** Pages that were requested: each needs the texts of its language, which are read for it. */
  private readonly documents: Partial<Record<Locale, StaticFile>> = {};
  private readonly signInPages: Partial<Record<Locale, StaticFile>> = {};

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
    this.configuration = {
      providers: this.providers.configured.map((kind) => ({
        kind,
        name: this.providers.ownNameOf(kind),
      })),
      sessionCookie: this.cookies.sessionName,
      mailbox: hasMailbox(this.settings),
      emailSignIn: this.settings.EMAIL_SIGN_IN === 'on',
      passwordBlocklist: this.settings.PASSWORD_BLOCKLIST,
    };
    this.html = readFileSync(join(folder, 'index.html'), 'utf8').replace(
      PLACES.configuration,
      () => `content="${escapeHtml(JSON.stringify(this.configuration))}"`,
    );
    this.parts = JSON.parse(readFileSync(join(folder, FIRST_PAGE), 'utf8')) as Record<Locale, FirstPageParts>;
    this.files = listFiles(folder);
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
      if (request.path === STATION_WORKER) response.set(CSP, STATION_WORKER_POLICY);
      file.send(request, response);
      return true;
    }
    if (!PAGE.test(request.path)) return false;
    nameRoute(request, PAGE_ROUTE);
    response.set(CSP, STATION.test(request.path) ? STATION_POLICY : CONTENT_SECURITY_POLICY);
    this.documentFor(request, response).send(request, response);
    return true;
  }

  /** Returns the written sign-in page where the portal would show it first, as far as is known. */
  private documentFor(request: Request, response: Response): StaticFile {
    const locale = findLocale(request) ?? DEFAULT_LOCALE;
    response.vary('Accept-Language');
    if (!SIGN_IN.test(request.path)) return this.documentIn(locale);
    response.vary('Cookie');
    const isPlain = request.url === request.path && !cookieOf(request, this.cookies.sessionName);
    return isPlain ? this.signInPageIn(locale) : this.documentIn(locale);
  }

  private documentIn(locale: Locale): StaticFile {
    return (this.documents[locale] ??= StaticFile.createPage(this.htmlIn(locale)));
  }

  private signInPageIn(locale: Locale): StaticFile {
    const part = this.parts[locale];
    const write = () =>
      this.htmlIn(locale)
        .replace(/<html [^>]+/, (tag) => `${tag} data-first="${Object.keys(LOCALES).join(' ')}"`)
        .replace(PLACES.head, (head) => `<link rel="modulepreload" crossorigin href="${part.file}">${head}`)
        .replace(PLACES.root, (root) => root + writeFirstPage(locale, part, this.configuration));
    return (this.signInPages[locale] ??= StaticFile.createPage(write()));
  }

  private htmlIn(locale: Locale): string {
    const text = textIn(locale);
    return this.html
      .replace(PLACES.language, () => `<html lang="${locale}">`)
      .replace(PLACES.description, () => escapeHtml(text('portal.description')))
      .replace(PLACES.noScript, () => escapeHtml(text('portal.no-script')));
  }
}
