import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { AppLogo } from '../../ui/app-logo.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Empty, List, useList } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ScopeList } from '../scope-list.tsx';
import { OnlyThePersonChanges } from './only-the-person.tsx';

type ConnectedApp = components['schemas']['AuthorizedAppResponse'];

const KEY = ['connected-apps'];

/**
 * Lists the third-party apps that the user has authorized, and withdraws that. An operator who acts
 * as the person only reads the list.
 */
export function ConnectedApps() {
  const apps = useList(
    KEY,
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/me/authorized-apps', { params: { query: { cursor } } })).data,
  );
  const [withdrawing, setWithdrawing] = useState<ConnectedApp | null>(null);
  return (
    <Page title={text('nav.connected-apps')} lead={text('connected-apps.lead')}>
      <List
        query={apps}
        label={text('nav.connected-apps')}
        keyOf={({ clientId }) => clientId}
        empty={<Empty title={text('connected-apps.empty')} lead={text('connected-apps.empty.text')} />}
      >
        {(app) => (
          <div className="item">
            <div className="what">
              <div className="row">
                <AppLogo url={app.logoUrl} />
                <strong>{app.name}</strong>
              </div>
              <span className="soft small">
                {rich('connected-apps.facts', { since: <Time value={app.grantedAt} /> })}
                {app.lastUsedAt !== null && (
                  <> · {rich('connected-apps.last-used', { when: <Time value={app.lastUsedAt} /> })}</>
                )}
                {app.memberConsent && <> · {text('connected-apps.by-organization')}</>}
              </span>
              <details>
                <summary>{text('connected-apps.scopes')}</summary>
                <ScopeList app={app.name} scopes={app.scopes} apis={app.apis} />
              </details>
            </div>
            {acting === null && (
              <div className="end wraps">
                <Button
                  small
                  aria-label={text('connected-apps.withdraw-of', { app: app.name })}
                  onPress={() => setWithdrawing(app)}
                >
                  {text('connected-apps.withdraw')}
                </Button>
              </div>
            )}
          </div>
        )}
      </List>
      {acting !== null && <OnlyThePersonChanges />}
      {withdrawing && <Withdraw app={withdrawing} onClose={() => setWithdrawing(null)} />}
    </Page>
  );
}

function Withdraw({ app, onClose }: { readonly app: ConnectedApp; readonly onClose: () => void }) {
  const { id, name, memberConsent } = app;
  const say = useToast();
  const withdraw = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/me/authorized-apps/{clientId}', { params: { path: { clientId: id } } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: KEY });
      onClose();
      say(text('connected-apps.withdrawn', { app: name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('connected-apps.withdraw.title', { app: name })}
      confirm={text('connected-apps.withdraw')}
      action={withdraw}
      isOpen
      onClose={onClose}
    >
      <p>
        {text(memberConsent ? 'connected-apps.withdraw.by-organization' : 'connected-apps.withdraw.text', {
          app: name,
        })}
      </p>
    </ConfirmDialog>
  );
}
