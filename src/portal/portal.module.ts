import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ExternalIdentityModule } from '../external-identity/index.js';
import type { Settings } from '../platform/config/index.js';
import { PAGES } from '../platform/web/index.js';
import { SessionModule } from '../session/index.js';
import { FormerSession } from './former-session.js';
import { hasMailbox, MailboxController } from './mailbox.controller.js';
import { PortalPages } from './portal-pages.js';
import { PortalSessionController } from './portal-session.controller.js';
import { SessionCookies } from './session-cookies.js';

/** The portal: its pages, and what keeps a browser signed in there. */
@Global()
@Module({})
export class PortalModule {
  /** The mailbox is in it in local development alone: otherwise there is no such route. */
  static for(settings: Settings): DynamicModule {
    return {
      module: PortalModule,
      imports: [ExternalIdentityModule, SessionModule],
      controllers: [PortalSessionController, ...(hasMailbox(settings) ? [MailboxController] : [])],
      providers: [FormerSession, PortalPages, SessionCookies, { provide: PAGES, useExisting: PortalPages }],
      exports: [PAGES],
    };
  }
}
