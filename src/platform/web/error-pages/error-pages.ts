import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type Settings, SETTINGS } from '../../config/index.js';
import { AppError, type ErrorCode, errorRow, type PageTexts, type Problem } from '../../errors/index.js';
import { DEFAULT_LOCALE, type Locale, textIn } from '../../messages/index.js';
import './error-page.messages.js';
import { errorPage, errorPagePolicy } from './error-page.js';

/** Texts for the person whose request was refused; other errors have those of the catalogue. */
const TEXTS: Readonly<Partial<Record<ErrorCode, PageTexts>>> = {
  'validation-error': { title: 'error-page.invalid.title', lead: 'error-page.invalid.lead' },
  unauthenticated: { title: 'error-page.unauthenticated.title', lead: 'error-page.unauthenticated.lead' },
  'not-found': { title: 'error-page.not-found.title', lead: 'error-page.not-found.lead' },
  'too-many-requests': { title: 'error-page.too-many.title', lead: 'error-page.too-many.lead' },
  internal: { title: 'error-page.internal.title', lead: 'error-page.internal.lead' },
  unavailable: { title: 'error-page.unavailable.title', lead: 'error-page.unavailable.lead' },
};

/** Returns the title of a problem, such as `Invalid Client`, as the other pages write theirs. */
const inSentenceCase = (title: string): string =>
  title.replace(/(?<= )[A-Z](?=[a-z]+\b)/g, (letter) => letter.toLowerCase());

/** Shows errors to browsers, in the frame of the portal. */
@Injectable()
export class ErrorPages {
  private readonly home: string | null;
  private readonly policy: string;

  constructor(@Inject(SETTINGS) { PORTAL }: Settings) {
    this.home = PORTAL === 'on' ? '/' : null;
    this.policy = errorPagePolicy(this.home);
  }

  /**
   * Shows a refused request. Status and headers are those of the problem.
   * @param locale of the person; errors without texts for people are explained in English
   */
  show(
    response: Response,
    error: AppError,
    locale: Locale,
    { detail, instance, violations = [] }: Problem,
  ): void {
    const { code, page, reason } = error;
    const { status, title, detail: usual } = errorRow(code);
    const texts = page ?? TEXTS[code];
    const language = texts ? locale : DEFAULT_LOCALE;
    const text = textIn(language);
    const hasOwn = page === undefined && detail !== usual;
    const isOwnShown = hasOwn && (reason !== undefined || language === DEFAULT_LOCALE);
    // For developers of the app; the rest of the page is for its user.
    const faults = violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`);
    this.send(response, {
      locale: language,
      title: texts ? text(texts.title) : inSentenceCase(title),
      lead: texts && !isOwnShown ? text(texts.lead) : detail,
      reference: [...faults, `HTTP ${status}`, `/errors/${code}`, instance].join(' · '),
    });
  }

  /** Shows the explanation of an error code. */
  explain(response: Response, code: ErrorCode): void {
    const { status, title, detail, remedy } = errorRow(code);
    this.send(response, {
      locale: DEFAULT_LOCALE,
      title: inSentenceCase(title),
      lead: `An error of the API, with the HTTP status ${status}.`,
      sections: [
        { heading: 'What it means', text: detail },
        { heading: 'What to do', text: remedy },
      ],
      reference: `/errors/${code}`,
    });
  }

  private send(response: Response, page: Omit<Parameters<typeof errorPage>[0], 'home'>): void {
    response.setHeader('Content-Security-Policy', this.policy);
    response.type('html').send(errorPage({ ...page, home: this.home }));
  }
}
