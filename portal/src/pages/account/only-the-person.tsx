import { text } from '../../messages/index.ts';
import { Notice } from '../../ui/notice.tsx';

/** Shown to an operator who acts as the person, in place of a form that the service refuses. */
export const OnlyThePerson = () => <Own title={text('acting.own.title')} />;

/** The same on a page that such an operator may read. */
export const OnlyThePersonChanges = () => <Own title={text('acting.own.change')} />;

const Own = ({ title }: { readonly title: string }) => (
  <Notice title={title}>
    <p>{text('acting.own.text')}</p>
  </Notice>
);
