import { Global, Module, type DynamicModule } from '@nestjs/common';
import { ExternalIdentityModule } from '../external-identity/index.js';
import type { Settings } from '../platform/config/index.js';
import { PAGES } from '../platform/web/index.js';
import { SessionModule } from '../session/index.js';
import { PreviousSession } from './previous-session.js';
import { hasMailbox, MailboxController } from './mailbox.controller.js';
import { PortalPages } from './portal-pages.js';
import { PortalSessionController } from './portal-session.controller.js';
import { SessionCookies } from './session-cookies.js';

/** The portal: its pages, and the cookies of a browser's sign-in. */
@Global()
@Module({})
export class PortalModule {
  /** Includes the route of the mailbox in local development only. */
  static for(settings: Settings): DynamicModule {
    return {
      module: PortalModule,
      imports: [ExternalIdentityModule, SessionModule],
      controllers: [PortalSessionController, ...(hasMailbox(settings) ? [MailboxController] : [])],
      providers: [PreviousSession, PortalPages, SessionCookies, { provide: PAGES, useExisting: PortalPages }],
      exports: [PAGES],
    };
  }
}
