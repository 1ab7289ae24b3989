import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DEFAULT_LOCALE, findLocale, type Locale, supportedLocale } from '../../messages/index.js';
import { authenticationOf } from '../authentication.js';

/** Finds the language of texts for a caller. */
@Injectable()
export class CallerLocale {
  /**
   * @returns the language that the person has chosen; else that of `Accept-Language`; else English
   */
  async find(request: Request): Promise<Locale> {
    const authentication = authenticationOf(request);
    const tag = authentication.principal && (await authentication.findChosenLocale?.());
    return (tag ? supportedLocale(tag) : null) ?? findLocale(request) ?? DEFAULT_LOCALE;
  }
}
