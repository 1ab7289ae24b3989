import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { isLocalDevelopment, type Settings } from '../platform/config/index.js';
import { AppError } from '../platform/errors/index.js';
import { isFromOwnMachine } from '../platform/web/index.js';
import { ApiExcludeController, Public } from '../platform/api/index.js';
import { MailFolder } from '../platform/mail/index.js';

const MOST = 50;

/** Whether the mailbox is part of the application: in local development alone, where mails become files. */
export function hasMailbox(settings: Settings): boolean {
  return isLocalDevelopment(settings) && settings.MAIL === 'folder';
}

/**
 * The mails that would have been sent, for whoever develops: there is no mail server to look into. Part of the application where
 * {@link hasMailbox} says so, and there it answers its own page in a browser of this machine. Programs can say that they are that page, so
 * that anybody with an account on this machine can read it, as they cannot read the files.
 */
@ApiExcludeController()
@Controller('api/v1/iam/auth/portal/mailbox')
export class MailboxController {
  constructor(private readonly mails: MailFolder) {}

  @Get()
  @Public('in local development alone, to every user of the machine')
  @Header('Cache-Control', 'no-store')
  async list(@Req() request: Request): Promise<{ items: { id: string; source: string }[] }> {
    const isOwnPage = request.headers['sec-fetch-site'] === 'same-origin';
    if (!isOwnPage || !isFromOwnMachine(request)) throw new AppError('not-found');
    return { items: await this.mails.newest(MOST) };
  }
}
