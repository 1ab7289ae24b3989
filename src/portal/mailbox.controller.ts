import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { AppError } from '../platform/errors/index.js';
import { Public } from '../platform/http/index.js';
import { MailFolder } from '../platform/mail/index.js';
import { isLoopback } from './workbench.js';

/** What a proxy or a tunnel on this machine says of whom it speaks for. */
const FORWARDING = /^(?:forwarded|via|x-forwarded-.+|x-real-ip|cf-.+|true-client-ip)$/;
const MOST = 50;

/**
 * The mails that would have been sent, for whoever develops: there is no mail server to look into. Part of the application on a workbench alone
 * ({@link isWorkbench}), and there it answers this machine's own browser alone: neither a page of another site (DNS rebinding) nor who comes
 * through a tunnel.
 */
@ApiExcludeController()
@Controller('api/v1/iam/auth/portal/mailbox')
export class MailboxController {
  constructor(private readonly mails: MailFolder) {}

  @Get()
  @Public('on a workbench alone, to its own browser')
  @Header('Cache-Control', 'no-store')
  async list(@Req() request: Request): Promise<{ items: { id: string; source: string }[] }> {
    if (!isOwnBrowser(request)) throw new AppError('not-found');
    return { items: await this.mails.newest(MOST) };
  }
}

function isOwnBrowser({ headers, hostname, socket }: Request): boolean {
  const peer = (socket.remoteAddress ?? '').replace('::ffff:', '');
  return (
    isLoopback(peer) &&
    isLoopback(hostname) &&
    headers['sec-fetch-site'] === 'same-origin' &&
    !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}
