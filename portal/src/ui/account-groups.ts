import { text } from '../messages/index.ts';
import { PAGE_PATHS as P } from '../session/paths.ts';
import type { PageGroup } from './page-nav.tsx';

/** Pages of the account, in the menu and next to each other. */
export const accountGroups = (): readonly PageGroup[] => [
  { label: text('nav.group.account'), pages: [[P.profile, text('nav.profile')]] },
  {
    label: text('nav.group.sign-in'),
    pages: [
      [P.identities, text('nav.identities')],
      [P.password, text('password')],
      [P.security, text('nav.security')],
      [P.sessions, text('nav.sessions')],
    ],
  },
  {
    label: text('nav.group.access'),
    pages: [
      [P.connectedApps, text('nav.connected-apps')],
      [P.myKeys, text('nav.my-keys')],
    ],
  },
  {
    label: text('nav.group.data'),
    pages: [
      [P.myTrail, text('nav.trail')],
      [P.myData, text('nav.my-data')],
      [P.erasure, text('nav.erasure')],
    ],
  },
];
