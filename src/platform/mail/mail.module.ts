import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../config/index.js';
import { MailJobs } from './mail-jobs.js';
import { createMailTransport, MAIL_TRANSPORT } from './mail-transport.js';
import { Outbox } from './outbox.js';

@Global()
@Module({
  providers: [
    Outbox,
    MailJobs,
    { provide: MAIL_TRANSPORT, inject: [SETTINGS], useFactory: createMailTransport },
  ],
  exports: [Outbox, MailJobs],
})
export class MailModule {}
