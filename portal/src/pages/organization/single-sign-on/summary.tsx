import type { ReactNode } from 'react';
import { text } from '../../../messages/index.ts';
import { useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import { type Connection, useDomains } from './connection-queries.ts';

interface Props {
  readonly tenantId: string;
  readonly connection: Connection;
  readonly mayReadDomains: boolean;
}

/** What is set of a connection. */
export function Summary({ tenantId, connection, mayReadDomains }: Props) {
  const { kind, settings, domainIds, provisioning, trustsSecondFactor, idpInitiated } = connection;
  const { data: domains = [], isLoading } = useDomains(tenantId, mayReadDomains);
  const roles = useRoles(tenantId).data ?? [];
  const named = domainIds.map((id) => domains.find((domain) => domain.id === id)?.name ?? id);
  const yesOrNo = (is: boolean | undefined) =>
    text(is ? 'connections.summary.yes' : 'connections.summary.no');
  const defaultRoles = roleNames(roles, provisioning.defaultRoles).join(', ');
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [text('connections.kind'), text(`connections.kind.${kind}`)],
    [text('connections.issuer'), settings.issuer],
    [text('connections.client-id'), settings.clientId],
    [text('connections.metadata-url'), settings.metadataUrl],
    [text('connections.entity-id'), settings.entityId],
    [text('connections.sso-url'), settings.ssoUrl],
    [
      text('connections.domains'),
      isLoading ? undefined : named.join(', ') || text('connections.summary.none'),
    ],
    [text('connections.just-in-time'), yesOrNo(provisioning.justInTime)],
    [text('connections.default-roles'), defaultRoles],
    [text('connections.trusts-factor'), yesOrNo(trustsSecondFactor)],
    [text('connections.idp-initiated'), kind === 'saml' ? yesOrNo(idpInitiated) : undefined],
  ];
  return (
    <dl className="facts">
      {facts.map(
        ([label, value]) =>
          value !== undefined &&
          value !== null &&
          value !== '' && (
            <Fact key={label} label={label}>
              {value}
            </Fact>
          ),
      )}
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
