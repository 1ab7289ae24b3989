import { text } from '../../../messages/index.ts';
import type { Connection } from './connection-queries.ts';
import { Copyable } from '../../../ui/copyable.tsx';

interface Props {
  readonly connection: Pick<Connection, 'kind' | 'serviceProvider'>;
}

/** What to enter at the identity provider. */
export function SetUp({ connection: { kind, serviceProvider } }: Props) {
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
  return (
    <section className="sheet section stack" aria-labelledby="connection-set-up">
      <h2 id="connection-set-up">{text('connections.set-up')}</h2>
      <p className="soft small">{text(`connections.set-up.${kind}`)}</p>
      {values.map(
        ([what, value]) =>
          value !== undefined && (
            <Copyable key={what} label={text(`connections.ours.${what}`)} value={value} />
          ),
      )}
    </section>
  );
}
