import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components, ExternalKind } from '@gatehouse/client';
import { rich, text } from '../../messages/index.ts';
import { acting } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { configuration } from '../../session/configuration.ts';
import { queryClient } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Empty, List, useList } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ProviderButton } from '../../ui/provider-button.tsx';
import { ProviderLogo } from '../../ui/provider-logo.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { leaving, nameOfKind, returnUri } from '../external-kinds.tsx';
import { subjectOf } from '../organization/organization-queries.ts';
import { OwnMethods } from './own-methods.tsx';
import { OnlyThePersonChanges } from './only-the-person.tsx';

type Identity = components['schemas']['ListedIdentityResponse'];

const KEY = ['identities'];
const nameOf = ({ kind, organization }: Identity): string =>
  organization
    ? text('identities.of-organization', { organization: organization.name })
    : nameOfKind(kind).replace(/^./, (letter) => letter.toUpperCase());

/**
 * Lists, links and unlinks external identities. An operator who acts as the person only reads the
 * list.
 */
export function Identities() {
  const identities = useList(
    KEY,
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/me/identities', { params: { query: { cursor } } })).data,
  );
  const [unlinking, setUnlinking] = useState<Identity | null>(null);
  return (
    <Page title={text('nav.identities')} lead={text('identities.lead')}>
      {acting === null && (
        <>
          <OwnMethods />
          <h2>{text('identities.linked')}</h2>
        </>
      )}
      <List
        query={identities}
        label={text('identities.linked')}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title={text('identities.empty')}
            lead={text(
              configuration.providers.length === 0 ? 'identities.empty.none' : 'identities.empty.some',
            )}
          />
        }
      >
        {(identity) => (
          <div className="item">
            <span className="avatar plain">
              <ProviderLogo kind={identity.kind} />
            </span>
            <div className="what">
              <strong>{nameOf(identity)}</strong>
              <span className="soft small">
                {rich('identities.facts', {
                  issuer: identity.issuer,
                  linked: () => <Time value={identity.createdAt} />,
                  used: () => <Time value={identity.lastUsedAt} />,
                })}
              </span>
            </div>
            {acting === null && (
              <ActionMenu
                label={text('identities.actions', { provider: nameOf(identity) })}
                subject={subjectOf('identities', identity.id)}
                actions={[
                  {
                    label: text('identities.unlink'),
                    scope: 'iam:identity:unlink',
                    danger: true,
                    run: () => setUnlinking(identity),
                  },
                ]}
              />
            )}
          </div>
        )}
      </List>
      {acting !== null && <OnlyThePersonChanges />}
      {acting === null && configuration.providers.length > 0 && <LinkAnother />}
      {unlinking && <Unlink identity={unlinking} onClose={() => setUnlinking(null)} />}
    </Page>
  );
}

function LinkAnother() {
  const link = useMutation({
    mutationFn: async (kind: ExternalKind) => {
      location.assign(await gatehouse.startExternalLink(kind, { returnUri: returnUri() }));
      await leaving();
    },
  });
  return (
    <section className="sheet section" aria-labelledby="link-another">
      <h2 id="link-another">{text('identities.another')}</h2>
      {link.error && <ErrorNotice error={link.error} />}
      <div className="row">
        {configuration.providers.map(({ kind }) => (
          <ProviderButton
            key={kind}
            kind={kind}
            isPending={link.isPending && link.variables === kind}
            onPress={() => link.mutate(kind)}
          >
            {text('provider.connect', { provider: nameOfKind(kind) })}
          </ProviderButton>
        ))}
      </div>
    </section>
  );
}

function Unlink({ identity, onClose }: { readonly identity: Identity; readonly onClose: () => void }) {
  const say = useToast();
  const unlink = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/me/identities/{id}', { params: { path: { id: identity.id } } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: KEY });
      onClose();
      say(text('identities.unlinked', { provider: nameOf(identity) }));
    },
  });
  return (
    <ConfirmDialog
      title={text('identities.unlink.title', { provider: nameOf(identity) })}
      confirm={text('identities.unlink')}
      action={unlink}
      isOpen
      onClose={onClose}
    >
      <p>{text('identities.unlink.text')}</p>
      {identity.organization && (
        <p>{text('identities.unlink.organization', { organization: identity.organization.name })}</p>
      )}
    </ConfirmDialog>
  );
}
