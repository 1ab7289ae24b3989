export { EverythingExport } from './leaving/everything-export.js';
export { TenantLimitsDto } from './tenants/dto/tenant-limits.dto.js';
export { OperatorModule } from './operator.module.js';
