import { useState } from 'react';
import type { Scope } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { BulkBar, BulkDialog } from '../../../ui/bulk.tsx';
import { Button } from '../../../ui/button.tsx';
import { useMayTry } from '../allowed.ts';
import { COMMANDS, IssueBadges } from './worker-dialogs.tsx';
import { saveWorkers } from './worker-export.tsx';
import { nameOf, readWorkersAgain, type Worker } from './worker-queries.ts';

const ISSUE_BADGE = 'iam:worker:issue-badge';
/** Scope of each deed. */
const SCOPES = {
  'sign-out': 'iam:worker:update',
  suspend: 'iam:worker:suspend',
  reinstate: 'iam:worker:reinstate',
  remove: 'iam:worker:delete',
} as const satisfies Record<string, Scope>;
type Deed = keyof typeof SCOPES;
const DEEDS = Object.keys(SCOPES) as Deed[];
const ASKED = [ISSUE_BADGE, ...Object.values(SCOPES)] as const;

/** Keeps the workers for whom a deed was chosen: the list changes while it is done. */
interface Doing {
  readonly deed: Deed | 'badges';
  readonly workers: readonly Worker[];
}

interface Props {
  readonly tenantId: string;
  readonly workers: readonly Worker[];
  readonly onClear: () => void;
}

/** What can be done with the selected workers. */
export function WorkerBar({ tenantId, workers, onClear }: Props) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const may = useMayTry(tenantId, ASKED, workers.length > 0);
  const withoutBadge = workers.filter(({ badge, status }) => badge === null && status === 'active');
  const leftOf = (one: Deed) => workers.filter(({ status }) => !isDone(one, status));
  return (
    <>
      <BulkBar label={text('workers.selected')} count={workers.length} onClear={onClear}>
        {may(ISSUE_BADGE) && withoutBadge.length > 0 && (
          <Button small onPress={() => setDoing({ deed: 'badges', workers: withoutBadge })}>
            {text('workers.badges.issue')}
          </Button>
        )}
        {DEEDS.filter((deed) => may(SCOPES[deed]) && leftOf(deed).length > 0).map((deed) => (
          <Button key={deed} small onPress={() => setDoing({ deed, workers: leftOf(deed) })}>
            {text(`workers.${deed}`)}
          </Button>
        ))}
        <Button small onPress={() => saveWorkers(workers)}>
          {text('trail.export')}
        </Button>
      </BulkBar>
      {doing?.deed === 'badges' && (
        <IssueBadges tenantId={tenantId} workers={doing.workers} onClose={close} />
      )}
      {doing && doing.deed !== 'badges' && (
        <Ask tenantId={tenantId} deed={doing.deed} workers={doing.workers} onClose={close} onDone={onClear} />
      )}
    </>
  );
}

interface AskProps extends Pick<Props, 'tenantId' | 'workers'> {
  readonly deed: Deed;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const Ask = ({ tenantId, deed, workers, onClose, onDone }: AskProps) => (
  <BulkDialog
    title={text(`workers.bulk.${deed}`, { count: workers.length })}
    confirm={text(`workers.${deed}`)}
    isDanger={deed !== 'reinstate'}
    items={workers}
    nameOf={nameOf}
    act={({ userId }) => COMMANDS[deed]({ path: { id: tenantId, userId } })}
    said={(count) => text('workers.bulk.done', { count })}
    refused={(count) => text('workers.bulk.refused', { count })}
    onSettled={() => readWorkersAgain(tenantId)}
    onClose={onClose}
    onDone={onDone}
  >
    <p>{text(`workers.${deed}.text`)}</p>
  </BulkDialog>
);

/** Whether nothing is left to do. */
const isDone = (deed: Deed, status: Worker['status']): boolean =>
  (deed === 'suspend' && status === 'suspended') || (deed === 'reinstate' && status === 'active');
