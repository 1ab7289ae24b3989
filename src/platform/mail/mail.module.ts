import { Global, Module } from '@nestjs/common';
import { SETTINGS } from '../config/index.js';
import { MailFolder } from './mail-folder.js';
import { MailJobs } from './mail-jobs.js';
import { createMailTransport, MAIL_TRANSPORT } from './mail-transport.js';
import { Outbox } from './outbox.js';

@Global()
@Module({
  providers: [
    Outbox,
    MailFolder,
    MailJobs,
    { provide: MAIL_TRANSPORT, inject: [SETTINGS, MailFolder], useFactory: createMailTransport },
  ],
  exports: [Outbox, MailFolder, MailJobs],
})
export class MailModule {}
