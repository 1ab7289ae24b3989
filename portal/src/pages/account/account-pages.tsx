import { Route, Switch } from 'wouter';
import { text } from '../../messages/index.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { accountGroups } from '../../ui/account-groups.ts';
import { AppFrame } from '../../ui/app-frame.tsx';
import { NoSuchPage } from '../not-here.tsx';
import { ConnectedApps } from './connected-apps.tsx';
import { Erasure } from './erasure.tsx';
import { Identities } from './identities.tsx';
import { MyData } from './my-data.tsx';
import { MyKeys } from './my-keys.tsx';
import { MyTrail } from './my-trail.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Security } from './security.tsx';
import { Sessions } from './sessions.tsx';

const P = PAGE_PATHS;

/** Pages of the user's account. */
export function AccountPages() {
  const nav = { label: text('frame.account-pages'), groups: accountGroups() };
  return (
    <AppFrame nav={nav}>
      <Switch>
        <Route path={P.profile} component={Profile} />
        <Route path={P.sessions} component={Sessions} />
        <Route path={P.identities} component={Identities} />
        <Route path={P.security} component={Security} />
        <Route path={P.password} component={Password} />
        <Route path={P.myKeys} component={MyKeys} />
        <Route path={P.connectedApps} component={ConnectedApps} />
        <Route path={P.myTrail} component={MyTrail} />
        <Route path={P.myData} component={MyData} />
        <Route path={P.erasure} component={Erasure} />
        <Route component={NoSuchPage} />
      </Switch>
    </AppFrame>
  );
}
