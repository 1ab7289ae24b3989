export { EverythingExport } from './leaving/everything-export.js';
export { OperatorModule } from './operator.module.js';
