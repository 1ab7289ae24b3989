import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Request } from 'express';
import type { UserId } from '../../../kernel/index.js';
import { DEFAULT_LOCALE, findLocale, type Locale, supportedLocale } from '../../messages/index.js';
import { authenticationOf } from '../authentication.js';

/** Languages that people have chosen. Implemented by the module that has accounts. */
export abstract class ChosenLocales {
  /** @returns BCP 47 tag; null if the person has chosen none */
  abstract findLocale(userId: UserId): Promise<string | null>;
}

/** Finds the language of texts for a caller. */
@Injectable()
export class CallerLocale {
  private chosen: ChosenLocales | undefined;

  constructor(private readonly modules: ModuleRef) {}

  /**
   * @returns the language that the person has chosen; else that of `Accept-Language`; else English
   */
  async find(request: Request): Promise<Locale> {
    const { principal } = authenticationOf(request);
    const chosen = (this.chosen ??= this.modules.get<ChosenLocales, ChosenLocales>(ChosenLocales, {
      strict: false,
    }));
    const tag = principal && (await chosen.findLocale(principal.userId));
    return (tag ? supportedLocale(tag) : null) ?? findLocale(request) ?? DEFAULT_LOCALE;
  }
}
