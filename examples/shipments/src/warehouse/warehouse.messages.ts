import { declareMessages } from 'gatehouse/messages';

const messages = declareMessages({
  'warehouse.sites': 'Sites',
  'warehouse.site.create': 'Add sites',
  'warehouse.loads': 'Loads',
  'warehouse.load.read': 'View loads',
  'warehouse.load.create': 'Add loads',
  'warehouse.load.release': 'Release loads',
  'warehouse.load.released': 'The load has been released already.',
});

declare module 'gatehouse/messages' {
  interface MessageIds extends Readonly<typeof messages> {}
}
