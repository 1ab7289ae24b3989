import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type Settings, SETTINGS } from '../../config/index.js';
import { AppError, type ErrorCode, errorRow, type Problem } from '../../errors/index.js';
import { errorPage, errorPagePolicy } from './error-page.js';

/** Texts for the person whose request was refused; other errors have those of the catalogue. */
const TEXTS: Readonly<Partial<Record<ErrorCode, { readonly title: string; readonly lead?: string }>>> = {
  'validation-error': { title: 'The request is not valid', lead: 'Go back, and try again.' },
  unauthenticated: { title: 'Sign in first', lead: 'This address is for signed-in users.' },
  'not-found': { title: 'Page not found', lead: 'The address may be mistyped, or the page has moved.' },
  'too-many-requests': { title: 'Too many requests', lead: 'Wait a minute, then load the page again.' },
  internal: {
    title: 'Something went wrong on our side',
    lead: 'Try again later. If it happens again, report it with the number below.',
  },
  unavailable: { title: 'Service temporarily unavailable', lead: 'Load the page again in a minute.' },
};

/** Shows errors to browsers, in the frame of the portal. */
@Injectable()
export class ErrorPages {
  private readonly home: string | null;
  private readonly policy: string;

  constructor(@Inject(SETTINGS) { PORTAL }: Settings) {
    this.home = PORTAL === 'on' ? '/' : null;
    this.policy = errorPagePolicy(this.home);
  }

  /** Shows a refused request. Status and headers are those of the problem. */
  show(response: Response, error: AppError, { instance }: Problem): void {
    const { code, detail, page } = error;
    const texts = { ...TEXTS[code], ...page };
    const own = detail === errorRow(code).detail ? undefined : detail;
    const html = errorPage({
      title: texts.title ?? errorRow(code).title,
      lead: page?.lead ?? own ?? texts.lead ?? detail,
      reference: `HTTP ${errorRow(code).status} · /errors/${code} · ${instance}`,
      home: this.home,
    });
    response.setHeader('Content-Security-Policy', this.policy);
    response.type('html').send(html);
  }

  /** Shows the explanation of an error code. */
  explain(response: Response, code: ErrorCode): void {
    const { status, title, detail, remedy } = errorRow(code);
    const html = errorPage({
      title,
      lead: `An error of the API, with the HTTP status ${status}.`,
      sections: [
        { heading: 'What it means', text: detail },
        { heading: 'What to do', text: remedy },
      ],
      reference: `/errors/${code}`,
      home: this.home,
    });
    response.setHeader('Content-Security-Policy', this.policy);
    response.type('html').send(html);
  }
}
