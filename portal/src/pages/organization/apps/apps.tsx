import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { AppLogo } from '../../../ui/app-logo.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty, List } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { AppActions } from './app-actions.tsx';
import { AppForm } from './app-form.tsx';
import { type OrganizationApp, useApps } from './app-queries.ts';
import { SamlAppForm } from './saml-app.tsx';

/** Lists the apps to which the members of an organization sign in. */
export function Apps({ tenantId, allowed }: OrganizationProps) {
  const apps = useApps(tenantId);
  const [creating, setCreating] = useState<OrganizationApp['protocol'] | null>(null);
  return (
    <Page
      title={text('nav.apps')}
      lead={text('apps.lead')}
      action={
        allowed['iam:client:create'] && (
          <div className="row">
            <Button onPress={() => setCreating('saml')}>{text('apps.saml.new')}</Button>
            <Button look="primary" onPress={() => setCreating('openid')}>
              {text('apps.new')}
            </Button>
          </div>
        )
      }
    >
      <List
        query={apps}
        label={text('nav.apps')}
        keyOf={({ clientId }) => clientId}
        empty={<Empty title={text('apps.empty')} lead={text('apps.empty.text')} />}
      >
        {(app) => <AppItem tenantId={tenantId} app={app} />}
      </List>
      {creating === 'openid' && <AppForm tenantId={tenantId} onClose={() => setCreating(null)} />}
      {creating === 'saml' && <SamlAppForm tenantId={tenantId} onClose={() => setCreating(null)} />}
    </Page>
  );
}

interface ItemProps {
  readonly tenantId: string;
  readonly app: OrganizationApp;
}

function AppItem({ tenantId, app }: ItemProps) {
  const { name, clientId, status, logoutReach, type, logoUrl, memberConsent, protocol } = app;
  return (
    <div className="item plain">
      <div className="what">
        <div className="row">
          <AppLogo url={logoUrl} />
          <Link href={pathIn(PAGE_PATHS.app, tenantId).replace(':clientId', clientId)}>
            <strong>{name}</strong>
          </Link>
          {status === 'disabled' && <Badge kind="bad">{text('service-accounts.disabled')}</Badge>}
          {memberConsent && <Badge kind="good">{text('apps.consent.given')}</Badge>}
          {protocol === 'saml' && <Badge>{text('apps.saml')}</Badge>}
          {type === 'public' && <Badge>{text('apps.type.public')}</Badge>}
        </div>
        <span className="soft small">{text(`apps.logout-reach.${logoutReach}`)}</span>
      </div>
      <AppActions tenantId={tenantId} app={app} />
    </div>
  );
}
