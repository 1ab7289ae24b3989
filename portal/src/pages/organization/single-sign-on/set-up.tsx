import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import type { Connection } from './connection-queries.ts';
import { Copyable } from '../../../ui/copyable.tsx';
import { ProviderGuide, providerOf } from './providers.tsx';

interface Props {
  readonly connection: Pick<Connection, 'kind' | 'name' | 'serviceProvider'>;
  /** Whether it is done already. */
  readonly isFolded?: boolean;
}

/** What to enter at the identity provider. */
export function SetUp({ connection: { kind, name, serviceProvider }, isFolded = false }: Props) {
  const [provider, setProvider] = useState(() => providerOf(name));
  const { redirectUri, jwksUri, postLogoutRedirectUri, sloUrl, initiateLoginUri } = serviceProvider;
  const { acsUrl, entityId, metadataUrl } = serviceProvider;
  const values = [
    ['redirect-uri', redirectUri],
    ['jwks-uri', jwksUri],
    ['metadata', metadataUrl],
    ['acs-url', acsUrl],
    ['entity-id', entityId],
    ['bookmark', initiateLoginUri],
    [`slo-url.${kind}`, sloUrl],
    ['post-logout-redirect-uri', postLogoutRedirectUri],
  ] as const;
  const content = (
    <>
      <ProviderGuide kind={kind} provider={provider} about="guide" onProvider={setProvider} />
      {values.map(
        ([what, value]) =>
          value !== undefined && (
            <Copyable key={what} label={text(`connections.ours.${what}`)} value={value} />
          ),
      )}
    </>
  );
  if (isFolded)
    return (
      <details className="list disclosure">
        <summary>
          <strong>{text('connections.set-up.again')}</strong>
        </summary>
        <div className="stack">{content}</div>
      </details>
    );
  return (
    <section className="sheet section stack" aria-labelledby="connection-set-up">
      <h2 id="connection-set-up">{text('connections.set-up')}</h2>
      {content}
    </section>
  );
}
