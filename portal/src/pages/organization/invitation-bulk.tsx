import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { BulkBar, BulkDialog } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { useMayTry } from './allowed.ts';
import { type Invitation, keys } from './organization-queries.ts';

const pathTo = (tenantId: string, { id }: Invitation) => ({
  params: { path: { id: tenantId, invitationId: id } },
});

export const sendAgain = (tenantId: string, invitation: Invitation) =>
  gatehouse.post('/api/v1/iam/tenants/{id}/invitations/{invitationId}/resend', pathTo(tenantId, invitation));

export const withdraw = (tenantId: string, invitation: Invitation) =>
  gatehouse.delete('/api/v1/iam/tenants/{id}/invitations/{invitationId}', pathTo(tenantId, invitation));

const DEEDS = { resend: sendAgain, revoke: withdraw } as const;
const NAMES = ['resend', 'revoke'] as const;
const ASKED = ['iam:invitation:resend', 'iam:invitation:revoke'] as const;

interface Props {
  readonly tenantId: string;
  readonly invitations: readonly Invitation[];
  readonly onClear: () => void;
}

/** What can be done with the selected invitations. */
export function InvitationBar({ tenantId, invitations, onClear }: Props) {
  const [deed, setDeed] = useState<(typeof NAMES)[number] | null>(null);
  const may = useMayTry(tenantId, ASKED);
  const count = invitations.length;
  return (
    <BulkBar label={text('invitations.bulk.label')} count={count} onClear={onClear}>
      {NAMES.filter((one) => may(`iam:invitation:${one}`)).map((one) => (
        <Button key={one} small onPress={() => setDeed(one)}>
          {text(`invitations.${one}`)}
        </Button>
      ))}
      {deed !== null && (
        <BulkDialog
          title={text(`invitations.bulk.${deed}.title`, { count })}
          confirm={text(`invitations.${deed}`)}
          isDanger={deed === 'revoke'}
          items={invitations}
          nameOf={({ email }) => email}
          act={(invitation) => DEEDS[deed](tenantId, invitation)}
          said={(done) => text(`invitations.bulk.${deed}.done`, { count: done })}
          refused={(failed) => text('invitations.bulk.refused', { count: failed })}
          onSettled={() => queryClient.invalidateQueries({ queryKey: keys.invitations(tenantId) })}
          onClose={() => setDeed(null)}
          onDone={onClear}
        >
          <p>{text(`invitations.bulk.${deed}.text`)}</p>
        </BulkDialog>
      )}
    </BulkBar>
  );
}
