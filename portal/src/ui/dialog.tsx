import { useEffect, type ReactNode } from 'react';
import { Dialog as Base, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';
import { text } from '../messages/index.ts';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `alertdialog` for a command that cannot be undone. */
  readonly role?: 'dialog' | 'alertdialog';
}

/** What had the focus last outside of dialogs. */
let before: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('.veil')) before = target;
});

/** Returns the focus after a dialog that another dialog opened: what had it then is gone. */
function returnFocus(): void {
  if (document.activeElement !== document.body) return;
  const place = before?.isConnected ? before : document.querySelector<HTMLElement>('h1');
  place?.focus();
}

/**
 * Modal dialog. Escape closes it, and the focus returns to where it was. A press next to it does
 * not: what was entered, or is shown once, would be lost.
 */
export function Dialog({ title, isOpen, onClose, children, role = 'dialog' }: Props) {
  useEffect(() => {
    if (!isOpen) return undefined;
    // After the component library, which returns the focus in the next frame.
    return () => {
      requestAnimationFrame(() => requestAnimationFrame(returnFocus));
    };
  }, [isOpen]);
  return (
    <ModalOverlay className="veil" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Modal className="modal">
        <Base className="dialog" role={role}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </Base>
      </Modal>
    </ModalOverlay>
  );
}

interface Question {
  readonly title: string;
  readonly children: ReactNode;
  /** The action as a verb. */
  readonly confirm: string;
  readonly action: { mutate: () => void; isPending: boolean; error: unknown };
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a command that cannot be undone. */
export function ConfirmDialog({ title, children, confirm, action, isOpen, onClose }: Question) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} role="alertdialog">
      <div className="stack tight">{children}</div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="buttons">
        <Button onPress={onClose}>{text('cancel')}</Button>
        <Button look="danger" isPending={action.isPending} onPress={() => action.mutate()}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
