import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { KeyItem } from '../../keys/key-item.tsx';
import { NewKey } from '../../keys/new-key.tsx';
import { DirectoryGuide } from '../../set-up/directory-guide.tsx';
import {
  pathOf,
  refreshDirectories,
  useTokens,
  type Directory,
  type DirectoryToken,
} from './directory-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

const TOKENS = '/api/v1/iam/tenants/{id}/directories/{directoryId}/tokens';
/** Tokens of a directory at once: the one in use, and its successor. */
const MAX_TOKENS = 2;

interface Props {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly mayCreate: boolean;
  /** Whether it is done already: the provider has sent people. */
  readonly isFolded: boolean;
}

/** What to enter at the identity provider: the address and a token. */
export function SetUp({ isFolded, ...props }: Props) {
  const guide = <DirectoryGuide baseUrl={props.directory.baseUrl} />;
  if (isFolded)
    return (
      <>
        <details className="list disclosure">
          <summary>
            <strong>{text('directories.set-up')}</strong>
          </summary>
          <div className="stack">{guide}</div>
        </details>
        <Tokens {...props} />
      </>
    );
  return (
    <section className="sheet section stack" aria-labelledby="set-up">
      <h2 id="set-up">{text('directories.set-up')}</h2>
      {guide}
      <Tokens {...props} />
    </section>
  );
}

function Tokens({ tenantId, directory: { id }, mayCreate }: Omit<Props, 'isFolded'>) {
  const [isCreating, setCreating] = useState(false);
  const tokens = useTokens(tenantId, id);
  return (
    <section className="stack" aria-labelledby="tokens">
      <div className="row">
        <h2 id="tokens">{text('directories.tokens')}</h2>
        {mayCreate && tokens.data && tokens.data.length < MAX_TOKENS && (
          <Button small onPress={() => setCreating(true)}>
            {text('directories.tokens.new')}
          </Button>
        )}
      </div>
      <p className="soft small">{text('directories.tokens.text')}</p>
      {tokens.error && <ErrorNotice error={tokens.error} onRetry={() => inBackground(tokens.refetch())} />}
      {tokens.isPending && <Skeleton label={text('directories.tokens')} rows={1} />}
      {tokens.data?.length === 0 && <p className="soft">{text('directories.tokens.none')}</p>}
      {tokens.data && tokens.data.length > 0 && (
        <ul className="list" aria-label={text('directories.tokens')}>
          {tokens.data.map((token) => (
            <li key={token.id}>
              <Token tenantId={tenantId} directoryId={id} token={token} />
            </li>
          ))}
        </ul>
      )}
      {isCreating && (
        <NewKey
          create={async (body) =>
            (await gatehouse.post(TOKENS, { params: pathOf(tenantId, id), body })).data.token
          }
          onCreated={() => refreshDirectories(tenantId)}
          onClose={() => setCreating(false)}
        />
      )}
    </section>
  );
}

interface TokenProps {
  readonly tenantId: string;
  readonly directoryId: string;
  readonly token: DirectoryToken;
}

function Token({ tenantId, directoryId, token }: TokenProps) {
  const say = useToast();
  const revoke = useMutation({
    mutationFn: () =>
      gatehouse.delete(`${TOKENS}/{tokenId}`, {
        params: { path: { id: tenantId, directoryId, tokenId: token.id } },
      }),
    onSuccess: async () => {
      await refreshDirectories(tenantId);
      say(text('keys.revoked', { name: token.name }));
    },
  });
  const refusal = token.stoppedAt === null ? null : text('directories.tokens.stopped');
  return <KeyItem item={{ ...token, hint: `gh_scim_${token.id}` }} refusal={refusal} revoke={revoke} />;
}
