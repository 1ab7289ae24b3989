import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ProblemError } from '@gatehouse/client';
import { text } from '../messages/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { explain } from './explain.ts';
import type { ListQuery } from './list.tsx';
import { ErrorNotice, Notice } from './notice.tsx';
import { useToast } from './toast.tsx';

/**
 * Keeps which entries of a list are selected. Those that a filter or a change takes out of the list
 * are not, so that no one acts on entries out of view.
 */
export function useSelection<T>({ data = [] }: ListQuery<T>, keyOf: (item: T) => string) {
  const [keys, onChange] = useState<ReadonlySet<string>>(new Set());
  const items = data.filter((item) => keys.has(keyOf(item)));
  return {
    items,
    clear: () => onChange(new Set()),
    table: { selected: new Set(items.map(keyOf)), onChange },
  };
}

interface BarProps {
  readonly label: string;
  readonly count: number;
  readonly onClear: () => void;
  /** Buttons. */
  readonly children: ReactNode;
}

/** What can be done with the selected entries of a table; nothing while there are none. */
export const BulkBar = ({ label, count, onClear, children }: BarProps) =>
  count > 0 && (
    <div className="bulk" role="toolbar" aria-label={label}>
      <strong role="status">{text('bulk.selected', { count })}</strong>
      {children}
      <Button small look="quiet" onPress={onClear}>
        {text('bulk.clear')}
      </Button>
    </div>
  );

interface Failure {
  readonly name: string;
  readonly why: string;
}

interface DialogProps<T> {
  readonly title: string;
  /** Text of the button that does it. */
  readonly confirm: string;
  readonly isDanger: boolean;
  readonly items: readonly T[];
  readonly nameOf: (item: T) => string;
  readonly act: (item: T) => Promise<unknown>;
  /** Says for how many it was done. */
  readonly said: (count: number) => string;
  /** Title of the list of those for whom it was refused. */
  readonly refused: (count: number) => string;
  readonly onSettled: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Called when it was done for all. */
  readonly onDone: () => void;
  /** What it does, or fields. */
  readonly children: ReactNode;
}

/** Asks, does it for one entry after the other, and says for which it was refused. */
export function BulkDialog<T>(props: DialogProps<T>) {
  const { title, confirm, isDanger, items, nameOf, act, said, refused, onSettled, onClose, onDone } = props;
  const say = useToast();
  const [done, setDone] = useState(0);
  const run = useMutation({
    mutationFn: async () => {
      const failures: Failure[] = [];
      for (const [n, item] of items.entries()) {
        const why = await refusalOf(() => act(item));
        if (why !== null) failures.push({ name: nameOf(item), why });
        setDone(n + 1);
      }
      return failures;
    },
    onSettled,
    onSuccess: (failures) => {
      say(said(items.length - failures.length));
      if (failures.length > 0) return;
      onClose();
      onDone();
    },
  });
  const failures = run.data ?? [];
  return (
    <Dialog title={title} isOpen onClose={onClose} role={isDanger ? 'alertdialog' : 'dialog'}>
      {failures.length === 0 ? (
        props.children
      ) : (
        <Notice kind="bad" title={refused(failures.length)}>
          <ul className="bullets">
            {[...Map.groupBy(failures, ({ why }) => why)].map(([why, those]) => (
              <li key={why}>
                {those.map(({ name }) => name).join(', ')}: {why}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {run.error && <ErrorNotice error={run.error} />}
      {run.isPending && <p role="status">{text('bulk.progress', { done, count: items.length })}</p>}
      <div className="buttons">
        <Button onPress={onClose}>{text(failures.length > 0 ? 'close' : 'cancel')}</Button>
        {failures.length === 0 && (
          <Button
            look={isDanger ? 'danger' : 'primary'}
            isPending={run.isPending}
            onPress={() => run.mutate()}
          >
            {confirm}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** @returns null if it was done, else why not; throws what would refuse the rest as well */
async function refusalOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    const isOwn =
      error instanceof ProblemError &&
      ['validation-error', 'conflict', 'forbidden', 'not-found'].includes(error.code);
    if (!isOwn) throw error;
    return explain(error).text;
  }
}
