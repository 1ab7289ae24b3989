import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { textIn } from '../../platform/messages/index.js';
import { CallerLocale, formPage, formPagePolicy, type PostedForm } from '../../platform/web/index.js';

/** Pages by which a browser posts an answer to a client, by a script or a button. */
@Injectable()
export class AnswerPages {
  private readonly home: string | null;

  constructor(
    private readonly locales: CallerLocale,
    @Inject(SETTINGS) { PORTAL }: Settings,
  ) {
    this.home = PORTAL === 'on' ? '/' : null;
  }

  async send(form: PostedForm, request: Request, response: Response): Promise<void> {
    const locale = await this.locales.find(request);
    const text = textIn(locale);
    const [title, lead] = [text('authorize.answer.title'), text('authorize.answer.lead')];
    const page = formPage(form, { locale, title, lead, home: this.home }, text('authorize.answer.continue'));
    // After what can fail: an error has its own policy.
    response.setHeader('Content-Security-Policy', formPagePolicy(form.action, this.home));
    response.type('html').send(page);
  }
}
