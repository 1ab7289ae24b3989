import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { isLocalDevelopment, type Settings } from '../platform/config/index.js';
import { AppError } from '../platform/errors/index.js';
import { isFromOwnMachine } from '../platform/web/index.js';
import { ApiExcludeController, Public } from '../platform/api/index.js';
import { MailFolder } from '../platform/mail/index.js';

const MAX_MAILS = 50;

/**
 * Returns whether the mailbox is part of the application: only in local development with mails in
 * files.
 */
export function hasMailbox(settings: Settings): boolean {
  return isLocalDevelopment(settings) && settings.MAIL === 'folder';
}

/**
 * Shows developers the mails that would have been sent. Part of the application only if {@link
 * hasMailbox} returns true, and answers only its own page in a browser of this machine. Other
 * programs can imitate that page, so that every user of this machine can read the mails, although
 * not the files.
 */
@ApiExcludeController()
@Controller('api/v1/iam/auth/portal/mailbox')
export class MailboxController {
  constructor(private readonly mails: MailFolder) {}

  @Get()
  @Public('in local development only, for every user of the machine')
  @Header('Cache-Control', 'no-store')
  async list(@Req() request: Request): Promise<{ items: { id: string; source: string }[] }> {
    const isOwnPage = request.headers['sec-fetch-site'] === 'same-origin';
    if (!isOwnPage || !isFromOwnMachine(request)) throw new AppError('not-found');
    return { items: await this.mails.listNewest(MAX_MAILS) };
  }
}
