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

/** Keeps the invitations for which a deed was chosen: the list changes while it is done. */
interface Doing {
  readonly deed: (typeof NAMES)[number];
  readonly all: readonly Invitation[];
}

interface Props {
  readonly tenantId: string;
  readonly invitations: readonly Invitation[];
  readonly onClear: () => void;
}

/** What can be done with the selected invitations. */
export function InvitationBar({ tenantId, invitations, onClear }: Props) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const may = useMayTry(tenantId, ASKED, invitations.length > 0);
  return (
    <>
      <BulkBar label={text('invitations.bulk.label')} count={invitations.length} onClear={onClear}>
        {NAMES.filter((deed) => may(`iam:invitation:${deed}`)).map((deed) => (
          <Button key={deed} small onPress={() => setDoing({ deed, all: invitations })}>
            {text(`invitations.${deed}`)}
          </Button>
        ))}
      </BulkBar>
      {doing && <Ask tenantId={tenantId} {...doing} onClose={() => setDoing(null)} onDone={onClear} />}
    </>
  );
}

interface AskProps extends Doing {
  readonly tenantId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const Ask = ({ tenantId, deed, all, onClose, onDone }: AskProps) => (
  <BulkDialog
    title={text(`invitations.bulk.${deed}.title`, { count: all.length })}
    confirm={text(`invitations.${deed}`)}
    isDanger={deed === 'revoke'}
    items={all}
    nameOf={({ email }) => email}
    act={(invitation) => DEEDS[deed](tenantId, invitation)}
    said={(done) => text(`invitations.bulk.${deed}.done`, { count: done })}
    refused={(failed) => text('invitations.bulk.refused', { count: failed })}
    onSettled={() => queryClient.invalidateQueries({ queryKey: keys.invitations(tenantId) })}
    onClose={onClose}
    onDone={onDone}
  >
    <p>{text(`invitations.bulk.${deed}.text`)}</p>
  </BulkDialog>
);
