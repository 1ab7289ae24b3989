import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { components, ExternalKind } from '@gatehouse/client';
import { gatehouse } from '../../session/gatehouse.ts';
import { configuration } from '../../session/configuration.ts';
import { queryClient } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Avatar } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Empty, List, useList } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { leaving, nameOfKind, returnUri } from '../external-kinds.tsx';
import { subjectOf } from '../organization/organization-queries.ts';

type Identity = components['schemas']['IdentityResponse'];

const KEY = ['identities'];
const nameOf = (kind: ExternalKind): string =>
  nameOfKind(kind).replace(/^./, (letter) => letter.toUpperCase());

/** Lists, links and unlinks external identities. */
export function Identities() {
  const identities = useList(
    KEY,
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/me/identities', { params: { query: { cursor } } })).data,
  );
  const [unlinking, setUnlinking] = useState<Identity | null>(null);
  return (
    <Page title="Identities" lead="Accounts at external providers with which you can sign in.">
      <List
        query={identities}
        label="Linked identities"
        keyOf={({ id }) => id}
        empty={
          <Empty title="None is linked">
            <p>
              {configuration.kinds.length === 0
                ? 'This service has no external providers.'
                : 'Link one, and you can sign in with it in place of your password.'}
            </p>
          </Empty>
        }
      >
        {(identity) => (
          <div className="item">
            <Avatar name={nameOf(identity.kind)} />
            <div className="what">
              <strong>{nameOf(identity.kind)}</strong>
              <span className="soft small">
                {identity.issuer} · linked <Time value={identity.createdAt} /> · last used{' '}
                <Time value={identity.lastUsedAt} />
              </span>
            </div>
            <ActionMenu
              label={`What to do with ${nameOf(identity.kind)}`}
              subject={subjectOf('identities', identity.id)}
              actions={[
                {
                  label: 'Unlink',
                  scope: 'iam:identity:unlink',
                  danger: true,
                  run: () => setUnlinking(identity),
                },
              ]}
            />
          </div>
        )}
      </List>
      {configuration.kinds.length > 0 && <LinkAnother />}
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
      <h2 id="link-another">Link another</h2>
      {link.error && <ErrorNotice error={link.error} />}
      <div className="row">
        {configuration.kinds.map((kind) => (
          <Button
            key={kind}
            isPending={link.isPending && link.variables === kind}
            onPress={() => link.mutate(kind)}
          >
            Link {nameOfKind(kind)}
          </Button>
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
      say(`${nameOf(identity.kind)} is unlinked.`);
    },
  });
  return (
    <ConfirmDialog
      title={`Unlink ${nameOf(identity.kind)}?`}
      confirm="Unlink"
      action={unlink}
      isOpen
      onClose={onClose}
    >
      <p>You cannot sign in with it any more. Your account there stays as it is.</p>
    </ConfirmDialog>
  );
}
