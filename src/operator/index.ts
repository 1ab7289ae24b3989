export { EverythingExport } from './leaving/everything-export.js';
export { ImportRuns } from './imports/import-runs.service.js';
export { OperatedTenants } from './tenants/tenants.service.js';
export { TenantLimitsDto } from './tenants/tenant.dto.js';
export { OperatorModule } from './operator.module.js';
