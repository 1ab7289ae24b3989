import { join } from 'node:path';
import {
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { isLocalDevelopment, type Settings, SETTINGS } from '../config/index.js';
import { replaceTexts } from '../messages/index.js';
import { ExpiryNotices } from './expiry-notices.js';
import { MailFolder } from './mail-folder.js';
import { MailJobs } from './mail-jobs.js';
import { createMailTransport, MAIL_TRANSPORT } from './mail-transport.js';
import { MailLinks } from './mail-links.js';
import { readMailTexts } from './mail-texts.js';
import { MailRecordEntity } from './mail-record.entity.js';
import { MailRecords } from './mail-records.js';
import { Outbox } from './outbox.js';
import { OutgoingMailEntity } from './outgoing-mail.entity.js';
import { OutgoingMailRepository } from './outgoing-mail.repository.js';
import { RecipientMails } from './recipient-mails.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([MailRecordEntity, OutgoingMailEntity])],
  providers: [
    Outbox,
    ExpiryNotices,
    MailFolder,
    MailJobs,
    MailLinks,
    MailRecords,
    OutgoingMailRepository,
    RecipientMails,
    { provide: MAIL_TRANSPORT, inject: [SETTINGS, MailFolder], useFactory: createMailTransport },
  ],
  exports: [Outbox, ExpiryNotices, MailFolder, MailJobs, RecipientMails],
})
export class MailModule implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Mail');

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Reads the texts of the deployment, and warns of settings that are probably mistakes. PORTAL=off
   * without APP_URL does not fail the start: a proxy may serve an app's pages at the same address.
   * @throws {InvalidSettings} if a text cannot be used
   */
  onModuleInit(): void {
    const { PORTAL, APP_URL, PUBLIC_URL, MAIL, MAIL_TEMPLATES, DATA_DIR } = this.settings;
    if (MAIL_TEMPLATES !== undefined) replaceTexts(readMailTexts(MAIL_TEMPLATES));
    if (MAIL === 'folder' && !isLocalDevelopment(this.settings))
      this.logger.warn(
        `Mails are not sent but written to ${join(DATA_DIR, 'mail')}. Set SMTP_URL to send them.`,
      );
    if (PORTAL === 'off' && APP_URL === PUBLIC_URL)
      this.logger.warn(
        'PORTAL=off without APP_URL: links of mails open pages at PUBLIC_URL, which this service does not serve.',
      );
  }

  /** The catalogue is that of the process, which may start another application. */
  onApplicationShutdown(): void {
    if (this.settings.MAIL_TEMPLATES !== undefined) replaceTexts(new Map());
  }
}
